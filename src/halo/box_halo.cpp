// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/halo/box_halo.hpp"

#include "accelerate/devices.hpp"
#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/progress/progress_thread.hpp"
#include "exchange/streams/parts_exchange.hpp"
#include "halo/boxes/box_check.hpp"
#include "halo/boxes/box_fields.hpp"
#include "halo/boxes/box_sums.hpp"
#include "halo/create.hpp"
#include "halo/points/regions.hpp"
#include "halo/sides_of.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/handles/comm_life.hpp"
#include "mpi/settings/environment.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace halocline {

struct BoxHalo::State {
  Boxes boxes;
  Stencil directions;
  halo::BoxViews fields;
  std::vector<std::size_t> own;
  std::vector<halo::SharedShape> shapes;
  mpi::CommLife comm;
  exchange::PartsExchange::Manner manner;
  std::unique_ptr<exchange::PartsExchange> exchange;
  std::unique_ptr<halo::BoxSums> sums = nullptr;  ///< Made at the first of them.
  bool under_way = false;
  bool summing = false;  ///< What is under way is a sum.
};

namespace {

std::string text_of(const Boxes& boxes) {
  std::string text = boxes.mesh() ? boxes.mesh()->to_text() : "";
  for (const OwnedBox& one : boxes.list())
    text += concat(";", one.owner, ":", join(one.box.first, ","), "+", join(one.box.extents, ","));
  for (const Connection& connection : boxes.connections()) {
    text +=
        concat(";", connection.to, ":", join(connection.ghosts.first, ","), "+",
               join(connection.ghosts.extents, ","), " ", connection.from, ":", join(connection.first, ","));
    for (const Connection::Axis& axis : connection.axes)
      text += concat(" ", axis.dimension, axis.backwards ? "-" : "+");
  }
  return text;
}

void require_plain(const HaloOptions& options) {
  if (const Sides sides = halo::wanted_sides(options); !sides.empty())
    fail(Fault::unsupported, "a halo of boxes has no described sides yet (", sides.to_text(), ")");
  if (halo::wanted_borders(options) == Borders::carry)
    fail(Fault::unsupported, "a halo of boxes keeps what is beyond open borders; it cannot carry it");
  if (halo::wanted_addresses(options) == Addresses::any)
    fail(Fault::unsupported, "a halo of boxes is for fixed addresses");
}

void require_on_host(const std::vector<std::size_t>& own, const halo::BoxViews& fields) {
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; i < own.size(); ++i)
      if (accelerate::what_is(fields[f][i].origin()))
        fail(Fault::unsupported, "field ", f, " on box ", own[i],
             " lies on a device; halos of boxes are for memory of the host");
}

void require_owners(const Boxes& boxes, int processes) {
  for (std::size_t b = 0; b < boxes.size(); ++b)
    require(boxes[b].owner < processes, "box ", b, " is owned by rank ", boxes[b].owner, " of ", processes);
}

struct Wanted {
  Stencil directions;
  exchange::Choice choice;
};

Wanted wanted(const Boxes& boxes, const HaloOptions& options, const mpi::Environment& environment) {
  const Stencil directions = options.directions ? *options.directions : Stencil::moore(boxes.dimensions(), 1);
  if (directions.dimensions() != boxes.dimensions())
    fail(Fault::invalid_dimensions, "directions of ", directions.dimensions(), " components; the boxes have ",
         boxes.dimensions());
  (void)halo::offsets_filling(directions);  // refuses what is none
  return {directions, exchange::wanted(options.exchange, environment)};
}

void require_rest(const mpi::CommLife& comm, bool under_way) {
  require(!comm.ended(), "the communicator of the halo was freed");
  require(!under_way, "the halo is under way; wait for it before it is started again");
}

constexpr std::uint64_t fillings = 2;  ///< With other numbers: elements of one byte have only 256 of them.

/// For each field on each own box.
template <class Visit>
void for_each_check(const halo::ShownPoints& shown, const halo::BoxViews& fields,
                    const std::vector<std::size_t>& own, std::uint64_t pass, const Visit& visit) {
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; i < own.size(); ++i) visit(halo::BoxCheck(shown, own[i], fields[f][i], f, pass));
}

}  // namespace

Boxes gathered_boxes(MPI_Comm comm, const Mesh& mesh, const std::vector<Box>& own) {
  mpi::require_intracommunicator(comm);
  const std::size_t dimensions = mesh.dimensions();
  (void)mpi::agreed(
      comm,
      [&] {
        for (std::size_t i = 0; i < own.size(); ++i)
          if (own[i].first.size() != dimensions || own[i].extents.size() != dimensions)
            fail(Fault::invalid_dimensions, "own box ", i, " has ", own[i].first.size(), " coordinates and ",
                 own[i].extents.size(), " extents; the mesh ", mesh.to_text(), " has ", dimensions);
        return 0;
      },
      [&](int) { return mpi::fingerprint(mesh.to_text()); }, "the mesh");
  std::vector<int> counts(to_size(mpi::size(comm)));
  const int mine = to_int(own.size());
  HALOCLINE_MPI(Allgather, &mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  const Count numbers_each = 2 * to_count(dimensions);
  std::vector<int> at;
  Count all = 0;
  for (int& count : counts) {
    const Count numbers = count * numbers_each;
    if (all + numbers > std::numeric_limits<int>::max())
      fail(Fault::invalid_argument, "more boxes than one message takes: ", all / numbers_each, " and ",
           count);
    at.push_back(to_int(all));
    count = to_int(numbers);
    all += numbers;
  }
  Counts told, every(to_size(all));
  for (const Box& box : own)
    for (const Counts* const list : {&box.first, &box.extents})
      told.insert(told.end(), list->begin(), list->end());
  HALOCLINE_MPI(Allgatherv, told.data(), to_int(told.size()), MPI_INT64_T, every.data(), counts.data(),
                at.data(), MPI_INT64_T, comm);
  std::vector<OwnedBox> boxes;
  auto next = every.begin();
  const auto taken = [&] {
    Counts list(next, next + static_cast<std::ptrdiff_t>(dimensions));
    next += static_cast<std::ptrdiff_t>(dimensions);
    return list;
  };
  for (std::size_t rank = 0; rank < counts.size(); ++rank)
    for (Count i = 0; i < counts[rank] / numbers_each; ++i) {
      Counts first = taken();
      boxes.push_back({to_count(rank), {std::move(first), taken()}});
    }
  return Boxes(mesh, std::move(boxes));
}

BoxHalo::BoxHalo(MPI_Comm comm, const Boxes& boxes, const std::vector<std::vector<FieldView>>& fields,
                 const HaloOptions& options) {
  mpi::require_intracommunicator(comm);
  const int rank = mpi::rank(comm);
  const std::vector<std::size_t> own = boxes.of(rank);
  const Wanted asked = mpi::agreed_by_first(
      comm,
      [&](const mpi::Environment& environment) {
        require_plain(options);
        require_owners(boxes, mpi::size(comm));
        halo::check_views(boxes, own, fields);
        require_on_host(own, fields);
        return wanted(boxes, options, environment);
      },
      [&](const Wanted& mine) {
        return mpi::fingerprint(concat(text_of(boxes), "|", mine.directions.to_text(), "|", fields.size(),
                                       mine.choice.shared ? " shared" : "",
                                       mine.choice.has_thread ? " thread" : ""));
      },
      "the boxes, the directions, the number of fields, the use of shared memory or of a thread");
  std::vector<halo::SharedShape> shapes;
  if (boxes.size() > 0) shapes = halo::shared_shapes(comm, boxes, fields);
  halo::BoxRoutes routes = mpi::agreed(comm, [&] {
    if (asked.choice.has_thread) exchange::ProgressThread::begin();
    if (boxes.size() == 0) return halo::BoxRoutes();
    halo::require_shapes(fields, shapes);
    return halo::routes_of(boxes, asked.directions, rank, fields, shapes);
  });
  const exchange::PartsExchange::Manner manner{asked.choice.shared, asked.choice.timed, asked.choice.engine};
  auto exchange =
      std::make_unique<exchange::PartsExchange>(comm, std::move(routes.peers), std::move(routes.own), manner);
  state_ = std::make_unique<State>(State{boxes, asked.directions, fields, own, std::move(shapes),
                                         mpi::CommLife(comm), manner, std::move(exchange)});
}

BoxHalo::BoxHalo() noexcept = default;
BoxHalo::BoxHalo(BoxHalo&& other) noexcept = default;
BoxHalo& BoxHalo::operator=(BoxHalo&& other) noexcept = default;
BoxHalo::~BoxHalo() = default;

BoxHalo::State& BoxHalo::state() const {
  require(state_ != nullptr,
          "the halo of boxes is empty: it was made of nothing, or moved from; assign one to it");
  return *state_;
}

void BoxHalo::start() {
  State& state = this->state();
  require_rest(state.comm, state.under_way);
  state.under_way = true;
  state.summing = false;
  state.exchange->start();
}

void BoxHalo::start_accumulate(Accumulate how) {
  State& state = this->state();
  const auto check = [&] {
    require(to_index(how) <= to_index(Accumulate::replace), "there is no way number ", to_index(how),
            " to accumulate; it is sum, min, max or replace");
    require_rest(state.comm, state.under_way);
    return to_index(how);
  };
  if (state.sums) {
    check();
  } else {
    require(!state.comm.ended(), "the communicator of the halo was freed");
    (void)mpi::agreed(
        state.comm.comm(), check, [](std::size_t way) { return std::uint64_t{way}; },
        "the way to accumulate (sum, min, max or replace)");
    state.sums = std::make_unique<halo::BoxSums>(
        state.comm.comm(), halo::BoxGround{state.boxes, state.directions, state.fields, state.shapes},
        state.manner);
  }
  state.sums->start(how);
  state.under_way = true;
  state.summing = true;
}

bool BoxHalo::test() {
  State& state = this->state();
  if (state.under_way && (state.summing ? state.sums->test() : state.exchange->test()))
    state.under_way = false;
  return !state.under_way;
}

void BoxHalo::wait() {
  State& state = this->state();
  if (!std::exchange(state.under_way, false)) return;
  if (state.summing) return state.sums->wait();
  state.exchange->wait();
}

bool BoxHalo::active() const { return state().under_way; }
const Boxes& BoxHalo::boxes() const { return state().boxes; }
ExchangeStatistics BoxHalo::statistics() const { return state().exchange->statistics(); }

plan::BoxTraffic BoxHalo::traffic() const {
  const State& state = this->state();
  std::vector<plan::BoxField> fields;
  for (const halo::SharedShape& shape : state.shapes) fields.push_back({shape.widths, shape.element_bytes});
  return plan::box_traffic(state.boxes, state.directions, fields);
}

void BoxHalo::verify() {
  State& state = this->state();
  require(!state.comm.ended(), "the communicator of the halo was freed");
  const halo::ShownPoints shown(state.boxes, state.directions);
  std::vector<halo::BoxCheck::Bytes> saved = mpi::agreed(state.comm.comm(), [&] {
    require(!state.under_way, "a halo is verified while it is under way; wait for it first");
    std::vector<halo::BoxCheck::Bytes> values;
    for_each_check(shown, state.fields, state.own, 0,
                   [&](const halo::BoxCheck& check) { values.push_back(check.saved()); });
    return values;
  });
  std::optional<Error> error;
  for (std::uint64_t pass = 0; pass < fillings; ++pass) {
    for_each_check(shown, state.fields, state.own, pass, [](const halo::BoxCheck& check) { check.fill(); });
    exchange();
    try {
      for_each_check(shown, state.fields, state.own, pass,
                     [](const halo::BoxCheck& check) { check.require_right(); });
    } catch (const Error& e) {
      if (!error) error = e;
    }
  }
  auto next = saved.begin();
  for_each_check(shown, state.fields, state.own, 0,
                 [&](const halo::BoxCheck& check) { check.restore(*next++); });
  mpi::agree(state.comm.comm(), error);
}

}  // namespace halocline
