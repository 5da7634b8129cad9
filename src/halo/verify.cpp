// SPDX-License-Identifier: BSD-3-Clause
// Every point of the mesh gets a number of its own, and so does every point of every halo. Afterwards all
// halos must show the right ones.

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/log.hpp"
#include "base/numbers.hpp"
#include "exchange/planning/create.hpp"
#include "halo/devices/device_fields.hpp"
#include "halo/fields/field_points.hpp"
#include "halo/fields/staggering.hpp"
#include "halo/halo_state.hpp"
#include "halo/sides_of.hpp"
#include "halo/sums/negating.hpp"
#include "halo/verification_tally.hpp"
#include "halocline/base/error.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace halocline {
namespace {

using Bytes = std::vector<std::byte>;

/// One field of one process, point by point, halo included.
class FieldCheck {
 public:
  FieldCheck(const HaloState& halo, std::size_t number, std::uint64_t pass)
      : halo_(halo),
        copy_(halo.memories[number]),
        field_(copy_.view()),
        number_(number),
        pass_(pass),
        own_(own_points(halo, field_)),
        mesh_(mesh_points(halo.decomposition.mesh(), field_)),
        first_(halo.decomposition.box(halo.cell).first),
        packer_(compile::Part{field_.element(), 1, 0}) {}

  [[nodiscard]] Bytes saved() const {
    Bytes values;
    for_each_point([&](const Cell& point) {
      const Bytes value = read(point);
      values.insert(values.end(), value.begin(), value.end());
    });
    return values;
  }
  void restore(const Bytes& values) {
    auto next = values.begin();
    for_each_point([&](const Cell& point) {
      write(point, Bytes(next, next + packer_.bytes()));
      next += packer_.bytes();
    });
    copy_.store();
  }
  void fill() {
    for_each_point([&](const Cell& point) {
      write(point, is_own(point) ? value_of(*mesh_point(point)) : untouched(halo_.cell, point));
    });
    copy_.store();
  }
  /// Throws Error{internal} that names the first point with another value than it should have.
  void check() const {
    for_each_point([&](const Cell& point) {
      const Offset direction = side(point);
      if (is_beyond(direction, point)) return;
      const auto source = halo_.filling.source(halo_.cell, direction);
      const bool shown = is_own(point) || source == direction;
      const auto carried = shown || !source ? std::nullopt : std::optional(place_at(*source, point));
      const Bytes expected = shown     ? value_of(*mesh_point(point))
                             : carried ? untouched(carried->cell, carried->point)
                                       : untouched(halo_.cell, point);
      if (read(point) == expected) return;
      fail(Fault::internal, "field ", number_, " of the process at (", join(halo_.cell, ","),
           ") holds a wrong value at its point (", join(point, ","), "), ",
           shown     ? concat("which is (", join(*mesh_point(point), ","), ") of the mesh ", mesh_.to_text())
           : carried ? concat("which is (", join(carried->point, ","), ") of the process at (",
                              join(carried->cell, ","), "), beyond an open border")
                     : std::string("which should not have been touched"));
    });
  }

 private:
  /// Those that the process owns.
  static Counts own_points(const HaloState& halo, const FieldView& field) {
    const Grid& grid = halo.decomposition.grid();
    Counts own = halo::cells_of(field);
    for (std::size_t d = 0; d < own.size(); ++d)
      if (!grid.periodic(d) && halo.cell[d] + 1 == grid.extents()[d]) own[d] += halo::extra_points(field, d);
    return own;
  }
  /// All points of a field, staggered or not.
  static Mesh mesh_points(const Mesh& mesh, const FieldView& field) {
    Counts extents = mesh.extents();
    for (std::size_t d = 0; d < extents.size(); ++d)
      if (!mesh.periodic(d)) extents[d] += halo::extra_points(field, d);
    return Mesh(std::move(extents), mesh.periodicity());
  }

  template <class Visit>
  void for_each_point(const Visit& visit) const {
    halo::for_each_field_point(field_, visit);
  }

  /// On which side of the own points: -1, 0 or 1 for each dimension.
  [[nodiscard]] Offset side(const Cell& point) const {
    Offset side;
    for (std::size_t d = 0; d < point.size(); ++d)
      side.push_back(point[d] < 0 ? -1 : point[d] >= own_[d] ? 1 : 0);
    return side;
  }
  [[nodiscard]] bool is_own(const Cell& point) const { return side(point) == Offset(point.size(), 0); }
  /// A point as another process counts it.
  struct Place {
    Cell cell, point;
  };
  /// Does it show an own point beyond a described side of the mesh? Throws as check() if it should.
  [[nodiscard]] bool is_beyond(const Offset& direction, const Cell& point) const {
    if (!halo_.sides) return false;
    const auto source = halo_.sides->source(halo_.cell, number_of_slot(), direction, point);
    if (!source) return false;
    if (read(point) != turned(value_of(source->point), source->crossed))
      fail(Fault::internal, "field ", number_, " of the process at (", join(halo_.cell, ","),
           ") holds a wrong value at its point (", join(point, ","), "), which is (",
           join(source->point, ","), ") of the mesh ", halo_.decomposition.mesh().to_text(),
           ", beyond its sides: ", halo_.sides->sides().to_text());
    return true;
  }
  /// As it looks beyond these sides.
  [[nodiscard]] Bytes turned(Bytes value, const halo::Crossed& crossed) const {
    const Layout& element = field_.element();
    const auto runs = halo::odd_runs({field_, number_of_slot(), halo::known_numbers(element)}, crossed);
    if (runs.empty()) return value;
    std::vector<std::byte> memory(to_size(std::max(element.true_extent(), Count{1})));
    const FieldView one(memory.data() - element.true_lb(), element, {1}, {element.true_extent()},
                        HaloWidths({0}));
    packer_.unpack(value.data(), static_cast<std::byte*>(one.origin()));
    halo::negate(one, {{0}, {1}}, runs);
    packer_.pack(static_cast<const std::byte*>(one.origin()), value.data());
    return value;
  }
  [[nodiscard]] std::size_t number_of_slot() const {
    std::size_t slot = 0;
    while (number_ >= halo_.slots[slot].first + halo_.slots[slot].count) ++slot;
    return slot;
  }
  /// As the process does that is next to this one like that.
  [[nodiscard]] Place place_at(const Offset& offset, const Cell& point) const {
    Place place{*halo_.decomposition.grid().neighbor(halo_.cell, offset), point};
    for (std::size_t d = 0; d < point.size(); ++d) {
      if (offset[d] > 0) place.point[d] -= halo_.decomposition.extent(d, halo_.cell[d]);
      if (offset[d] < 0) place.point[d] += halo_.decomposition.extent(d, place.cell[d]);
    }
    return place;
  }
  [[nodiscard]] std::optional<Cell> mesh_point(const Cell& point) const {
    return mesh_.neighbor(first_, point);
  }

  [[nodiscard]] Bytes value_of(const Cell& mesh_point) const {
    const auto index = static_cast<std::uint64_t>(mesh_.index(mesh_point));
    return halo::stamp((index * halo_.memories.size() + number_) * 4 + pass_, packer_.bytes());
  }
  /// Of a point of the halo of the process at a cell before anything arrives there.
  [[nodiscard]] Bytes untouched(const Cell& cell, const Cell& point) const {
    auto seed =
        static_cast<std::uint64_t>(halo_.decomposition.grid().index(cell)) * halo_.memories.size() + number_;
    for (const Count c : point) seed = seed * 1000003 + static_cast<std::uint64_t>(c);
    return halo::stamp(seed * 4 + 2 + pass_, packer_.bytes());
  }

  [[nodiscard]] Bytes read(const Cell& point) const {
    Bytes value(to_size(packer_.bytes()));
    packer_.pack(static_cast<const std::byte*>(field_.at(point)), value.data());
    return value;
  }
  void write(const Cell& point, const Bytes& value) const {
    packer_.unpack(value.data(), static_cast<std::byte*>(field_.at(point)));
  }

  const HaloState& halo_;
  halo::HostCopy copy_;
  const FieldView& field_;
  std::size_t number_;
  std::uint64_t pass_;
  Counts own_;
  Mesh mesh_;
  Cell first_;
  compile::Packer packer_;
};

/// Which memory each slot has.
std::string memories_in_slots(const HaloState& halo) {
  Counts has;
  for (const HaloState::Slot& slot : halo.slots) has.push_back(to_count(slot.has));
  return join(has, ",");
}

constexpr std::uint64_t passes = 2;  ///< With other numbers: elements of one byte have only 256 of them.

/// Of all fields in all turns, halos included. On rank 0 those of all processes. Collective.
Count points_seen(const HaloState& halo) {
  Count points = 0;
  for (const HaloState::Turn& turn : halo.turns)
    for (const std::size_t memory : turn.memories) {
      const FieldView& field = halo.memories[memory];
      Count of_field = 1;
      for (std::size_t d = 0; d < field.dimensions(); ++d)
        of_field *= field.extents()[d] + field.halo().low[d] + field.halo().high[d];
      points += of_field;
    }
  Count all = 0;
  HALOCLINE_MPI(Reduce, &points, &all, 1, MPI_INT64_T, MPI_SUM, 0, halo.comm);
  return all;
}

/// Rank 0 will say that it was verified, the first time, if that was not the program's own idea. Collective.
void tell(HaloState& halo) {
  if (!std::exchange(halo.verifies, false)) return;
  const Count points = points_seen(halo);
  if (mpi::rank(halo.comm) != 0) return;
  halo::VerificationTally::own()->add(to_count(passes * halo.turns.size()), points);
}

/// Devices that would do it alone on a user's stream do so on the default one, if that is asked for. Others
/// may do it otherwise.
void exchange_once(Exchange& exchange, bool on_stream) {
  if (on_stream && exchange::goes_on_stream(exchange)) {
    exchange::start_on(exchange, nullptr);
    exchange::end_on(exchange, nullptr);
    (void)exchange::device_done(exchange, true);
    return;
  }
  exchange.start();
  exchange.wait();
}

}  // namespace

void Halo::verify() {
  State& state = this->state();
  const auto check_of = [&](std::size_t memory, std::uint64_t pass) {
    return FieldCheck(state, memory, pass);
  };
  // One process that refuses while others exchange would leave them waiting.
  const std::vector<Bytes> saved = mpi::agreed(
      state.comm,
      [&] {
        require(!active(), "a halo is verified while it is under way; wait for it first");
        state.require_comm();
        state.choose_followed();
        for (std::size_t s = 0; state.stage && s < state.slots.size(); ++s)
          state.memories[state.slots[s].first] = state.stage->field(s);
        for (const State::Turn& turn : state.turns) state.require_memory(turn);
        std::vector<Bytes> values;
        for (std::size_t m = 0; m < state.memories.size(); ++m) values.push_back(check_of(m, 0).saved());
        return values;
      },
      [&](const std::vector<Bytes>&) { return mpi::fingerprint(memories_in_slots(state)); },
      "which memory each field of the halo has, as their fields were swapped or rotated,");
  std::optional<Error> error;
  for (State::Turn& turn : state.turns)
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
      for (const std::size_t memory : turn.memories) check_of(memory, pass).fill();
      if (state.stage) {
        state.stage->start(turn.exchange);
        state.stage->wait();
      } else if (turn.beyond) {
        turn.start();
        turn.wait();
      } else {
        exchange_once(turn.exchange, pass + 1 == passes);
      }
      try {
        for (const std::size_t memory : turn.memories) check_of(memory, pass).check();
      } catch (const Error& e) {
        if (!error) error = e;
      }
    }
  for (std::size_t m = 0; m < state.memories.size(); ++m) check_of(m, 0).restore(saved[m]);
  mpi::agree(state.comm, error);
  tell(state);
  if (mpi::rank(state.comm) == 0)
    log_line(concat("verified the halos of ", state.memories.size(), " fields on the mesh ",
                    state.decomposition.mesh().to_text()));
}

}  // namespace halocline
