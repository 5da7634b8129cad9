// Random halos through any interface: meshes, grids, communicators and their duplicates, fields, directions
// and ways to exchange; several in flight, started and completed in any order, destroyed in any order.
//
// `Interface` says how: communicators of kind mesh, fields, halos, and what is done with them. See
// halo/random_halo_test.cpp (C++) and api/random_halo_test.cpp (C).
#pragma once

#include "halo/random_fields.hpp"
#include "mpi/cart_comm.hpp"
#include "support/trials.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace halocline {

/// Where a communicator has its mesh from.
enum class CommKind {
  mesh,    ///< It was made for it.
  told,    ///< It was told, or the halo is.
  fields,  ///< From the fields of the halo.
};

/// A Cartesian communicator with what is known of it.
struct Ground {
  CommKind kind;
  Stencil stencil;  ///< Along which a communicator of kind mesh talks.
  mpi::Comm comm;
  mpi::Comm duplicate;  ///< Made when a halo asks for it, be there others already or not.
  Decomposition decomposition;
  Cell cell;
  Count widest;  ///< Halo that any process can fill.
};

struct FieldPlan {
  bool of_library, shared;
  Layout::Order order;
  HaloWidths halo;
  Count bytes;
};

struct HaloPlan {
  bool on_duplicate;
  std::optional<Stencil> directions;
  std::string schedule, wire, shared, statistics;
};

inline bool coin(Random& random, Count one_of = 2) { return random_in(random, 1, one_of) == 1; }

template <class T>
const T& any_of(const std::vector<T>& list, Random& random) {
  return list[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(list.size()) - 1))];
}

inline std::string random_nodes(Random& random) {
  Counts nodes;
  for (Count left = world_size(); left > 0; left -= nodes.back())
    nodes.push_back(std::min(left, random_in(random, 1, world_size())));
  std::string text = "node:" + std::to_string(nodes.size()) + " core:";
  for (std::size_t i = 0; i < nodes.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(nodes[i]);
  return text;
}

inline Periodicity random_periods(std::size_t dimensions, Random& random) {
  Periodicity periodic;
  for (std::size_t d = 0; d < dimensions; ++d) periodic.push_back(coin(random));
  return periodic;
}

/// A grid of exactly so many processes.
inline Counts random_dims(Count processes, std::size_t dimensions, Random& random) {
  Counts dims(dimensions, 1);
  for (Count p = 2; processes > 1;)
    if (processes % p != 0) {
      ++p;
    } else {
      dims[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(dimensions) - 1))] *= p;
      processes /= p;
    }
  return dims;
}

inline mpi::Comm plain_cart(MPI_Comm comm, const Counts& dims, const Periodicity& periodic) {
  const std::vector<int> extents(dims.begin(), dims.end()), periods(periodic.begin(), periodic.end());
  mpi::Comm cart;
  MPI_Cart_create(comm, static_cast<int>(dims.size()), extents.data(), periods.data(), 0, cart.put());
  return cart;
}

/// One of MPI's own communicators, perhaps a part of one with a dimension more.
inline mpi::Comm random_cart(MPI_Comm processes, std::size_t dimensions, Random& common) {
  const bool part = coin(common, 3);
  const std::size_t all = dimensions + (part ? 1 : 0);
  mpi::Comm whole =
      plain_cart(processes, random_dims(mpi::size(processes), all, common), random_periods(all, common));
  if (!part) return whole;
  std::vector<int> kept(all, 1);
  kept[static_cast<std::size_t>(random_in(common, 0, static_cast<Count>(dimensions)))] = 0;
  mpi::Comm cart;
  MPI_Cart_sub(whole.get(), kept.data(), cart.put());
  return cart;
}

inline Stencil random_directions(std::size_t dimensions, Random& random) {
  if (coin(random, 3)) return Stencil::nearest(dimensions);
  const Stencil all = Stencil::moore(dimensions, 1);
  std::vector<Offset> some;
  for (const Offset& offset : all.offsets())
    if (!coin(random, 3)) some.push_back(offset);
  return some.empty() ? all : Stencil(some);
}

template <class Interface>
Ground random_ground(MPI_Comm processes, Random& common) {
  const bool lengthy = coin(common, 5);  // faces that are long messages
  const auto dimensions = static_cast<std::size_t>(lengthy ? 2 : random_in(common, 1, 4));
  const Count widest = random_in(common, 1, dimensions > 2 ? 2 : 3);
  const auto kind = any_of<CommKind>({CommKind::mesh, CommKind::told, CommKind::fields}, common);
  const Stencil stencil = coin(common) ? Stencil::nearest(dimensions) : Stencil::moore(dimensions, 1);
  const auto points = [&](std::size_t d) {
    return lengthy && d == 1 ? random_in(common, 1500, 2500) : random_in(common, 0, dimensions > 2 ? 3 : 9);
  };
  mpi::Comm comm;
  std::optional<Decomposition> decomposition;
  if (kind == CommKind::mesh) {
    Counts extents;
    for (std::size_t d = 0; d < dimensions; ++d) extents.push_back(mpi::size(processes) * widest + points(d));
    const Mesh mesh(extents, random_periods(dimensions, common));
    comm = Interface::mesh_comm(processes, mesh, stencil);
    decomposition.emplace(mesh, mpi::grid_of(comm.get()));
  } else {
    comm = random_cart(processes, dimensions, common);
    const Grid grid = mpi::grid_of(comm.get());
    std::vector<Counts> slabs(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Count each = widest + points(d);  // an even mesh is told, any other one is made up by its fields
      for (Count i = 0; i < grid.extents()[d]; ++i)
        slabs[d].push_back(kind == CommKind::told || lengthy ? each : widest + points(d));
    }
    decomposition.emplace(grid, slabs);
    if (kind == CommKind::told) Interface::tell_mesh(comm.get(), decomposition->mesh());
  }
  Cell cell = decomposition->grid().cell(mpi::rank(comm.get()));
  return {kind, stencil, std::move(comm), {}, std::move(*decomposition), std::move(cell), widest};
}

inline FieldPlan random_field(std::size_t dimensions, Count widest, Random& common) {
  FieldPlan plan{!coin(common, 3),
                 !coin(common, 3),
                 coin(common) ? Layout::Order::c : Layout::Order::fortran,
                 {},
                 any_of<Count>({1, 2, 4, 8, 8, 12, 24}, common)};
  for (std::size_t d = 0; d < dimensions; ++d) {
    plan.halo.low.push_back(random_in(common, 0, widest));
    plan.halo.high.push_back(random_in(common, 0, widest));
  }
  return plan;
}

inline HaloPlan random_plan(std::size_t dimensions, Random& common) {
  HaloPlan plan{coin(common), {}, {}, {}, {}, {}};
  if (!coin(common, 4)) plan.directions = random_directions(dimensions, common);
  plan.schedule = any_of<std::string>({"auto", "direct", "node", "mixed", "torus", "basis"}, common);
  plan.wire = any_of<std::string>({"auto", "packed", "datatype"}, common);
  plan.shared = coin(common, 4) ? "off" : "on";
  plan.statistics = coin(common, 4) ? "on" : "off";
  return plan;
}

/// A halo with its fields, and all that must be in them.
template <class Interface>
class RandomHalo {
 public:
  /// Collective; `common` is the same on all ranks, `own` is not.
  RandomHalo(Ground& ground, Count number, Random& common, Random& own)
      : ground_(ground), plan_(random_plan(ground.cell.size(), common)) {
    if (plan_.on_duplicate && !ground.duplicate) MPI_Comm_dup(ground.comm.get(), ground.duplicate.put());
    const Counts extents = ground.decomposition.box(ground.cell).extents;
    MPI_Comm comm = (plan_.on_duplicate ? ground.duplicate : ground.comm).get();
    const Count fields = random_in(common, 1, 3);
    for (Count f = 0; f < fields; ++f) {
      const FieldPlan plan = random_field(extents.size(), ground.widest, common);
      const bool of_library = plan.of_library && Interface::has_fields(ground.kind);
      Random& source = of_library ? common : own;  // arrays may lie differently on every rank
      const Element element = random_element(plan.bytes, of_library, source);
      if (of_library) {
        fields_.push_back(Interface::library_field(comm, ground.decomposition, plan, element.layout));
      } else {
        arrays_.push_back(std::make_unique<RandomArray>(extents, plan.halo, element.layout, own));
        fields_.push_back(Interface::array_field(*arrays_.back(), extents, plan.halo, element.layout));
      }
      watched_.emplace_back(Interface::origin(fields_.back()), Interface::strides(fields_.back()), extents,
                            plan.halo, element, number * 4 + f);
      array_of_.push_back(of_library ? nullptr : arrays_.back().get());
    }
    halo_.emplace(Interface::halo(comm, ground, fields_, plan_));
    directions_ = plan_.directions ? *plan_.directions : Interface::default_directions(ground);
  }

  void fill(Count time) {
    time_ = time;
    for (const WatchedField& field : watched_) field.fill(ground_.decomposition, ground_.cell, time);
  }
  void start() { Interface::start(*halo_); }
  void complete(Random& own) {
    if (coin(own))
      while (!Interface::test(*halo_)) {
      }
    else
      Interface::wait(*halo_);
  }
  [[nodiscard]] bool refuses_start() { return Interface::refuses_start(*halo_); }
  void verify() { Interface::verify(*halo_); }
  void expect_right(const std::string& what) const {
    for (std::size_t f = 0; f < watched_.size(); ++f) {
      EXPECT_EQ(watched_[f].wrong(ground_.decomposition, ground_.cell, *directions_, time_), 0)
          << what << ", field " << f << " at time " << time_ << ": " << watched_[f].to_text();
      if (array_of_[f] == nullptr) continue;
      EXPECT_EQ(watched_[f].touched(array_of_[f]->memory), 0) << what << ", around field " << f;
    }
  }

  void free_fields() { fields_.clear(); }
  void free_halo() { halo_.reset(); }
  [[nodiscard]] bool has_halo() const { return halo_.has_value(); }
  [[nodiscard]] bool on_duplicate() const { return plan_.on_duplicate; }
  [[nodiscard]] std::string to_text() const {
    return plan_.schedule + " " + plan_.wire + " shared " + plan_.shared + " statistics " + plan_.statistics +
           " directions " + directions_->to_text() + (plan_.on_duplicate ? " on the duplicate" : "");
  }

 private:
  const Ground& ground_;
  HaloPlan plan_;
  std::optional<Stencil> directions_;
  std::vector<std::unique_ptr<RandomArray>> arrays_;
  std::vector<RandomArray*> array_of_;
  std::vector<typename Interface::Field> fields_;
  std::vector<WatchedField> watched_;
  std::optional<typename Interface::Halo> halo_;
  Count time_ = 0;
};

inline std::vector<std::size_t> shuffled(std::size_t number, Random& random) {
  std::vector<std::size_t> order(number);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Communicators, halos and their fields go in any order; what has lost its communicator says so.
template <class Interface>
void destroy_in_any_order(Ground& ground, std::vector<std::unique_ptr<RandomHalo<Interface>>>& halos,
                          Random& common, const std::string& what) {
  for (const std::size_t part : shuffled(2 + 2 * halos.size(), common)) {
    if (part == 0) {
      const mpi::Comm gone = std::move(ground.comm);
    } else if (part == 1) {
      const mpi::Comm gone = std::move(ground.duplicate);
    } else if (part % 2 == 0) {
      halos[part / 2 - 1]->free_fields();
    } else {
      halos[part / 2 - 1]->free_halo();
    }
    for (auto& halo : halos) {
      if (!halo->has_halo()) continue;
      if (static_cast<bool>(halo->on_duplicate() ? ground.duplicate : ground.comm)) continue;
      EXPECT_TRUE(halo->refuses_start()) << what << ": its communicator was freed";
    }
  }
}

/// One case, told by a seed, on all processes or on two parts of them at once.
template <class Interface>
void run_random_halos(std::uint64_t seed) {
  Random common(seed * 7919 + static_cast<unsigned>(world_size())),
      own(seed * 104729 + static_cast<unsigned>(world_rank()));
  const DescribedMachine machine(random_nodes(common));
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const Count cut = coin(common, 4) ? random_in(common, 0, world_size()) : world_size();
  const int part = mpi::rank(world.get()) < cut ? 0 : 1;
  const mpi::Comm processes = mpi::split(world.get(), part, 0);
  if (part == 1) common.discard(1000);

  Ground ground = random_ground<Interface>(processes.get(), common);
  std::string what = "HALOCLINE_SEED=" + std::to_string(seed) + ": " + ground.decomposition.mesh().to_text() +
                     " on " + ground.decomposition.grid().to_text();
  std::vector<std::unique_ptr<RandomHalo<Interface>>> halos;
  const Count in_flight = random_in(common, 1, 3);
  for (Count i = 0; i < in_flight; ++i) {
    halos.push_back(std::make_unique<RandomHalo<Interface>>(ground, i, common, own));
    what += "; " + halos.back()->to_text();
  }
  for (Count time = 0; time < 3; ++time) {
    for (auto& halo : halos) halo->fill(time);
    // Neighbours may copy from here as soon as they have started: nobody fills any more.
    for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->start();
    if (coin(own, 3)) {
      EXPECT_TRUE(halos.front()->refuses_start()) << what << ": it was started";
    }
    for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->complete(own);
    for (auto& halo : halos) halo->expect_right(what);
  }
  if (coin(common, 3)) halos.front()->verify();
  if (Interface::completes_when_destroyed && coin(common))
    for (auto& halo : halos) halo->start();
  destroy_in_any_order(ground, halos, common, what);
}

}  // namespace halocline
