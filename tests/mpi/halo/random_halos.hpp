// Random halos through any interface: meshes, grids, communicators and their duplicates, fields, directions
// and ways to exchange; fields that rotate, several halos in flight, started and completed in any order,
// destroyed in any order.
//
// `Interface` says how: communicators of kind mesh, fields, halos, and what is done with them. See
// halo/random_halo_test.cpp (C++) and api/random_halo_test.cpp (C).
#pragma once

#include "halo/random_fields.hpp"
#include "halo/random_grounds.hpp"
#include "halo/turns.hpp"
#include "halocline/base/error.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace halocline {

/// Is the work refused as a wrong call of C++?
template <class Work>
bool is_refused(const Work& work) {
  try {
    work();
    return false;
  } catch (const Error& error) {
    return error.fault() == Fault::invalid_argument;
  }
}

struct FieldPlan {
  bool of_library, shared;
  Layout::Order order;
  HaloWidths halo;
  Count bytes;
  Staggered staggered;
};

struct HaloPlan {
  bool on_duplicate;
  std::optional<Stencil> directions;
  std::string borders;  ///< "" is keep, as well.
  std::string schedule, wire, shared, statistics;
  bool by_environment;  ///< Of the first process, whatever the others have.
  bool verified;        ///< When it is made.
  std::string compile;  ///< Of this process alone.

  [[nodiscard]] std::string to_text() const {
    return borders + " " + schedule + " " + wire + " shared " + shared + " statistics " + statistics +
           (by_environment ? " by environment" : "") + (on_duplicate ? " on the duplicate" : "");
  }
};

inline FieldPlan random_field(const Ground& ground, Random& common) {
  FieldPlan plan{!coin(common, 3),
                 !coin(common, 3),
                 coin(common) ? Layout::Order::c : Layout::Order::fortran,
                 {},
                 any_of<Count>({1, 2, 3, 4, 8, 8, 12, 24, 100}, common),
                 random_staggered(ground.cell.size(), common)};
  const Grid& grid = ground.decomposition.grid();
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    // Where there is nobody to exchange with, any width will do.
    const bool alone = grid.extents()[d] == 1 && !grid.periodic(d) && coin(common, 4);
    const Count widest = alone ? 2 * ground.widest + 3 : ground.widest;
    plan.halo.low.push_back(random_in(common, 0, widest));
    plan.halo.high.push_back(random_in(common, 0, widest));
  }
  narrow(plan.halo, ground, plan.staggered);
  return plan;
}

inline HaloPlan random_plan(std::size_t dimensions, Random& common, Random& own) {
  HaloPlan plan{coin(common), {}, {}, {}, {}, {}, {}, coin(common, 3), coin(common, 6), {}};
  if (!coin(common, 4)) plan.directions = random_directions(dimensions, common);
  plan.schedule =
      any_of<std::string>({"auto", "direct", "node", "mixed", "torus", "torus-direct", "basis"}, common);
  plan.wire = any_of<std::string>({"auto", "packed", "datatype"}, common);
  plan.shared = coin(common, 4) ? "off" : coin(common, 4) ? "buffered" : "on";
  plan.statistics = coin(common, 4) ? "on" : "off";
  plan.borders = any_of<std::string>({"carry", "carry", "keep", ""}, common);
  plan.compile = coin(own, 40) ? "llvm" : any_of<std::string>({"auto", "kernels"}, own);
  return plan;
}

/// The environment in which a halo is made. What is not said by it, the plan says. Collective.
class HaloEnvironment {
 public:
  HaloEnvironment(MPI_Comm comm, HaloPlan& plan, Random& own) : compile_("HALOCLINE_COMPILE", plan.compile) {
    const int mine = world_rank();
    int first = 0;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    set("HALOCLINE_VERIFY", plan.verified ? "1" : "0", first, own);
    if (!plan.by_environment) return;
    set("HALOCLINE_SCHEDULE", plan.schedule, first, own);
    set("HALOCLINE_WIRE", plan.wire, first, own);
    set("HALOCLINE_SHARED", plan.shared, first, own);
    set("HALOCLINE_STATISTICS", plan.statistics, first, own);
    plan.schedule = plan.wire = plan.shared = plan.statistics = "";
  }

 private:
  void set(const char* name, const std::string& value, int first, Random& own) {
    if (world_rank() == first || coin(own, 3))
      variables_.push_back(std::make_unique<Variable>(name, value));
    else if (coin(own))
      variables_.push_back(std::make_unique<Variable>(name, "gibberish"));
  }

  Variable compile_;
  std::vector<std::unique_ptr<Variable>> variables_;
};

/// Some fields with halos made of them, one or two, and all that must be in them.
template <class Interface>
class RandomHalo {
  using Field = typename Interface::Field;

 public:
  /// Collective; `common` is the same on all ranks, `own` is not.
  RandomHalo(Ground& ground, Count number, Random& common, Random& own) : ground_(ground) {
    MPI_Comm comm = comm_for(ground, coin(common));
    const Count fields = random_in(common, 1, 3);
    for (Count f = 0; f < fields; ++f) {
      const FieldPlan plan = random_field(ground, common);
      fields_.emplace_back();
      watched_.emplace_back();
      // Mostly one memory; otherwise two or three, one of which it has at a time.
      const Count memories = coin(common, 3) ? random_in(common, 2, 3) : 1;
      for (Count m = 0; m < memories; ++m) add_memory(comm, plan, number * 4 + f, common, own);
    }
    for (Count halos = coin(common, 3) ? 2 : 1; halos > 0; --halos) add_halo(ground, common, own);
  }

  /// For the next exchange, which any of the halos does.
  void fill(Count time, Random& common) {
    time_ = time;
    now_ = static_cast<std::size_t>(random_in(common, 0, static_cast<Count>(ways_.size()) - 1));
    for (std::size_t f = 0; f < fields_.size(); ++f) rotate(f, common);
    for (const std::vector<Watched>& memories : watched_)
      for (const Watched& memory : memories) memory.field.fill(ground_.decomposition, ground_.cell, time);
  }
  void start(Random& own) {
    Interface::start(*way().halo, current(), coin(own));
    ++way().exchanges;
  }
  void complete(Random& own) {
    if (coin(own))
      while (!Interface::test(*way().halo)) {
      }
    else
      Interface::wait(*way().halo);
  }
  void exchange(Random& own) {
    Interface::exchange(*way().halo, current(), coin(own));
    ++way().exchanges;
  }
  /// Nothing but test and wait may be done with what is under way.
  void expect_refusals(const std::string& what) {
    EXPECT_TRUE(Interface::refuses_under_way(*way().halo)) << what << ": it was started";
  }
  /// Collective.
  void expect_verify_refused(const std::string& what) {
    EXPECT_TRUE(Interface::refuses_verify(*way().halo)) << what << ": it was started";
  }
  void verify() {
    Interface::verify(*way().halo);
    way().exchanges += verified_exchanges();
  }
  void expect_right(const std::string& what) const {
    const Way& way = ways_[now_];
    for (std::size_t f = 0; f < watched_.size(); ++f)
      for (std::size_t m = 0; m < watched_[f].size(); ++m) {
        const Watched& memory = watched_[f][m];
        EXPECT_EQ(
            memory.field.wrong(ground_.decomposition, ground_.cell, m == 0 ? &way.filled : nullptr, time_), 0)
            << what << ", field " << f << ", place " << m << " at time " << time_ << ": "
            << memory.field.to_text();
        if (memory.array == nullptr) continue;
        EXPECT_EQ(memory.field.touched(memory.array->memory), 0) << what << ", around field " << f;
      }
    const auto [exchanges, timed] = Interface::counted(*way.halo);
    EXPECT_EQ(exchanges, way.exchanges) << what;
    EXPECT_EQ(timed, way.timed) << what;
  }
  /// Every halo whose communicator was freed says so.
  void expect_lost(const std::string& what) {
    for (Way& way : ways_)
      if (way.halo && !static_cast<bool>(way.on_duplicate ? ground_.duplicate : ground_.comm)) {
        EXPECT_TRUE(Interface::refuses_start(*way.halo)) << what << ": its communicator was freed";
      }
  }

  void free_fields() { fields_.clear(); }
  void free_halos() {
    for (Way& way : ways_) way.halo.reset();
  }
  [[nodiscard]] const std::string& to_text() const { return text_; }

 private:
  struct Way {
    bool on_duplicate, timed;
    FilledParts filled;
    Count exchanges;  ///< That it must have counted.
    std::optional<typename Interface::Halo> halo;
  };
  struct Watched {
    WatchedField field;
    RandomArray* array;  ///< Null if it is of the library.
  };
  [[nodiscard]] Way& way() { return ways_[now_]; }

  void add_memory(MPI_Comm comm, const FieldPlan& plan, Count number, Random& common, Random& own) {
    const Counts extents = local_points(ground_.decomposition, ground_.cell, plan.staggered);
    const bool of_library = plan.of_library && Interface::has_fields(ground_.kind);
    Random& source = of_library ? common : own;  // arrays may lie differently on every rank
    const Element element = random_element(plan.bytes, of_library, source);
    std::vector<Field>& memories = fields_.back();
    if (of_library) {
      memories.push_back(Interface::library_field(comm, ground_.decomposition, plan, element.layout));
    } else {
      arrays_.push_back(std::make_unique<RandomArray>(extents, plan.halo, element.layout, own));
      memories.push_back(Interface::array_field(*arrays_.back(), extents, plan, element.layout));
    }
    watched_.back().push_back({{Interface::origin(memories.back()), Interface::strides(memories.back()),
                                extents, plan.halo, element, number, plan.staggered},
                               of_library ? nullptr : arrays_.back().get()});
  }
  /// Any memory of the field comes first. All halos follow, or are told.
  void rotate(std::size_t f, Random& common) {
    const auto places =
        static_cast<std::size_t>(random_in(common, 0, static_cast<Count>(fields_[f].size()) - 1));
    for (std::size_t place = 0; place < places; ++place) {
      std::swap(fields_[f][place], fields_[f][place + 1]);
      std::swap(watched_[f][place], watched_[f][place + 1]);
    }
  }
  /// What each field has now.
  [[nodiscard]] std::vector<const Field*> current() const {
    std::vector<const Field*> fields;
    for (const std::vector<Field>& memories : fields_) fields.push_back(&memories.front());
    return fields;
  }
  /// As many as a verification does: two for each way in which memories come together.
  [[nodiscard]] Count verified_exchanges() const {
    std::vector<std::size_t> counts;
    for (const std::vector<Watched>& memories : watched_) counts.push_back(memories.size());
    const halo::Turns turns = halo::turns_of(counts);
    std::size_t ways = turns.together.size();
    if (!turns.apart.empty())
      ways += *std::find_if(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
    return 2 * static_cast<Count>(ways);
  }

  static MPI_Comm comm_for(Ground& ground, bool on_duplicate) {
    if (!on_duplicate) return ground.comm.get();
    if (!ground.duplicate) MPI_Comm_dup(ground.comm.get(), ground.duplicate.put());
    return ground.duplicate.get();
  }
  void add_halo(Ground& ground, Random& common, Random& own) {
    HaloPlan plan = random_plan(ground.cell.size(), common, own);
    Way way{
        plan.on_duplicate,
        plan.statistics == "on",
        {plan.directions ? *plan.directions : Interface::default_directions(ground), plan.borders == "carry"},
        plan.verified ? verified_exchanges() : 0,
        {}};
    text_ += "; " + plan.to_text() + " directions " + way.filled.directions.to_text();
    MPI_Comm comm = comm_for(ground, plan.on_duplicate);
    const HaloEnvironment environment(comm, plan, own);
    way.halo.emplace(Interface::halo(comm, ground, fields_, plan));
    ways_.push_back(std::move(way));
  }

  const Ground& ground_;
  std::string text_;
  std::vector<std::unique_ptr<RandomArray>> arrays_;
  std::vector<std::vector<Field>> fields_;  ///< The memories of each; it has the first.
  std::vector<std::vector<Watched>> watched_;
  std::vector<Way> ways_;
  std::size_t now_ = 0;
  Count time_ = 0;
};

template <class Interface>
using RandomHalos = std::vector<std::unique_ptr<RandomHalo<Interface>>>;

/// Communicators, halos and their fields go in any order; what has lost its communicator says so.
template <class Interface>
void destroy_in_any_order(Ground& ground, RandomHalos<Interface>& halos, Random& common,
                          const std::string& what) {
  for (const std::size_t part : shuffled(2 + 2 * halos.size(), common)) {
    if (part == 0) {
      const mpi::Comm gone = std::move(ground.comm);
    } else if (part == 1) {
      const mpi::Comm gone = std::move(ground.duplicate);
    } else if (part % 2 == 0) {
      halos[part / 2 - 1]->free_fields();
    } else {
      halos[part / 2 - 1]->free_halos();
    }
    for (auto& halo : halos) halo->expect_lost(what);
  }
}

/// All halos are exchanged, in one of the ways there are. Neighbours may copy from here as soon as they have
/// started: nobody fills any more.
template <class Interface>
void exchange_all(RandomHalos<Interface>& halos, Random& common, Random& own, const std::string& what) {
  if (coin(common, 4)) {
    for (const std::size_t i : shuffled(halos.size(), common)) halos[i]->exchange(own);
    return;
  }
  for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->start(own);
  if (coin(own, 3)) halos.front()->expect_refusals(what);
  if (coin(common, 6)) halos.back()->expect_verify_refused(what);
  for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->complete(own);
}

/// What was started is completed even if its communicator is freed meanwhile.
template <class Interface>
void lose_communicators(Ground& ground, RandomHalos<Interface>& halos, Random& common, Random& own,
                        const std::string& what) {
  for (auto& halo : halos) halo->fill(7, common);
  for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->start(own);
  for (mpi::Comm* comm : {&ground.duplicate, &ground.comm})
    if (*comm && !coin(common, 3)) const mpi::Comm gone = std::move(*comm);
  for (auto& halo : halos) halo->expect_refusals(what);
  for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->complete(own);
  for (auto& halo : halos) halo->expect_right(what);
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

  std::optional<Ground> made = random_ground<Interface>(processes.get(), common);
  if (!made) return;
  Ground& ground = *made;
  std::string what = "HALOCLINE_SEED=" + std::to_string(seed) + ": " + ground.decomposition.mesh().to_text() +
                     " on " + ground.decomposition.grid().to_text();
  RandomHalos<Interface> halos;
  const Count in_flight = random_in(common, 1, 3);
  for (Count i = 0; i < in_flight; ++i) {
    halos.push_back(std::make_unique<RandomHalo<Interface>>(ground, i, common, own));
    what += halos.back()->to_text();
  }
  for (Count time = 0; time < 3; ++time) {
    for (auto& halo : halos) halo->fill(time, common);
    exchange_all(halos, common, own, what);
    for (auto& halo : halos) halo->expect_right(what);
  }
  if (coin(common, 3)) halos.front()->verify();
  if (coin(common, 3))
    lose_communicators(ground, halos, common, own, what);
  else if (Interface::completes_when_destroyed && coin(common))
    for (auto& halo : halos) halo->start(own);
  destroy_in_any_order(ground, halos, common, what);
}

}  // namespace halocline
