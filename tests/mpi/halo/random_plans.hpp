// Random problems, planned and then done: communicators, halos and exchanges by one of the interfaces, beside
// the plan made from the same description.
#pragma once

#include "halo/points/regions.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/decomposition.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/handles/handle.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/placement/network_contest.hpp"
#include "plan/random_problems.hpp"
#include "plan/transport/schedule_choice.hpp"
#include "schedule/on_grid.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"
#include "unless_refused.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace halocline {

/// What is asked for besides the problem, alike on all processes.
struct PlannedCase {
  plan::RandomProblem given;
  std::unique_ptr<SharedFile> allocation;  ///< Null: all of the network, or none is known.
  std::unique_ptr<SharedFile> prices;      ///< What HALOCLINE_PRICES names.

  [[nodiscard]] const plan::Problem& problem() const { return given.problem; }
  [[nodiscard]] Counts halo() const {
    return problem().halo.empty() ? Counts(problem().mesh.dimensions(), 1) : problem().halo;
  }
  [[nodiscard]] std::string network() const {
    return problem().allocation ? problem().allocation->network().to_text() : "none";
  }
  [[nodiscard]] std::string allocation_path() const { return allocation ? allocation->path() : ""; }
  [[nodiscard]] Layout element() const {
    return Layout::contiguous(problem().value_bytes, Layout::named(Elementary::byte));
  }
};

/// Of one line for each level that fits every machine.
inline std::string price_file(const LevelCosts& prices) {
  std::ostringstream text;
  text.precision(17);
  text << "halocline prices 1\n";
  const auto add = [&](const char* level, const schedule::LinearCost& price) {
    text << level << " alpha=" << price.round_seconds << " beta=" << price.byte_seconds
         << " latency=" << price.latency_seconds << " host=* mpi=* network=* processes=1 largest=1024\n";
  };
  add("network", prices.between_nodes);
  add("node", prices.on_node);
  return text.str();
}

/// Collective over the world.
inline PlannedCase planned_case(plan::RandomProblem given) {
  PlannedCase result{std::move(given), nullptr, nullptr};
  if (const auto& allocation = result.problem().allocation;
      allocation && *allocation != Allocation::whole(allocation->network()))
    result.allocation = std::make_unique<SharedFile>(allocation->to_text());
  result.prices = std::make_unique<SharedFile>(price_file(result.given.choices.prices));
  return result;
}

/// All of a case that the environment can tell, for the length of a scope.
struct PlannedEnvironment {
  explicit PlannedEnvironment(const PlannedCase& planned)
      : machine("HALOCLINE_MACHINE", planned.problem().machine.to_text()),
        prices("HALOCLINE_PRICES", planned.prices->path()),
        place("HALOCLINE_PLACE", plan::name_of(planned.given.choices.grid.algorithm)),
        network("HALOCLINE_NETWORK", planned.network()),
        allocation("HALOCLINE_ALLOCATION", planned.allocation_path()),
        mapping("HALOCLINE_MAPPING", plan::name_of(planned.given.choices.network.variant)) {}

  Variable machine, prices, place, network, allocation, mapping;
};

/// The blocks of an exchange along the stencil of a problem, as the plan describes them.
class PlannedBlocks {
 public:
  PlannedBlocks(const plan::Problem& problem, const Decomposition& decomposition, const Counts& halo)
      : problem_(problem), decomposition_(decomposition), halo_(halo) {}

  [[nodiscard]] Count bytes(const Cell& sender, std::size_t neighbour) const {
    const Offset& offset = problem_.stencil.offsets()[neighbour];
    Count all = problem_.stencil.weights()[neighbour] * problem_.fields * problem_.value_bytes;
    for (std::size_t d = 0; d < sender.size(); ++d)
      all *= offset[d] == 0 ? decomposition_.extent(d, sender[d]) : halo_[d];
    return all;
  }

 private:
  const plan::Problem& problem_;
  const Decomposition& decomposition_;
  Counts halo_;
};

/// A given grid on the first processes of the machine, by the algorithm and on the network of the case; none
/// where it cannot be placed.
inline std::optional<plan::Candidate> expected_placement(const PlannedCase& planned, const Grid& grid,
                                                         const Stencil& stencil) {
  const Machine machine = planned.problem().machine.first(grid.size());
  const place::Problem placing(grid, stencil, machine);
  const std::string wanted = plan::name_of(planned.given.choices.grid.algorithm);
  return unless_refused([&] {
    plan::PlacementChoice choice = plan::choose_placement(placing, wanted);
    plan::Candidate placed{choice.algorithm, choice.placement};
    const auto& allocation = planned.problem().allocation;
    if (!allocation) return placed;
    const Counts nodes(allocation->nodes().begin(), allocation->nodes().begin() + machine.nodes());
    const auto fitted =
        plan::fit_to_network(placing, placed, wanted, Allocation(allocation->network(), nodes),
                             {.variant = planned.given.choices.network.variant});
    return plan::Candidate{fitted.algorithm, fitted.on_network.placement};
  });
}

/// Compares one case. `Interface` makes communicators and halos:
///   Cart               the communicator: grid(), cell()
///   Cart cart(MPI_Comm, const PlannedCase&)
///   std::string schedule(const Cart&, const PlannedCase&, const Stencil& directions)  of a halo
///   plan::Plan expected(const plan::RandomProblem&)  of the problem as the interface sees it
/// They throw Error, on all processes, where it is refused. Returns the schedule; "" if all refuse.
template <class Interface>
std::string compare_halo_with_plan(std::uint64_t seed) {
  const PlannedCase planned = planned_case(plan::RandomProblems(seed, world_size()).halo());
  SCOPED_TRACE(planned.given.to_text());
  const auto plan = unless_refused([&] { return Interface::expected(planned.given); });
  const DescribedMachine described(planned.problem().machine.to_text());
  const Variable prices("HALOCLINE_PRICES", planned.prices->path());
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  auto cart = unless_refused([&] { return Interface::cart(world.get(), planned); });
  if (!cart) {
    EXPECT_FALSE(plan) << "the communicator is refused, the plan is not";
    return "";
  }
  if (plan) {
    EXPECT_EQ(cart->grid().to_text(), plan->grid.to_text());
    EXPECT_EQ(cart->cell(), plan->placement.cell(world_rank()));
    if (testing::Test::HasFailure()) return "";
  }
  // A block goes to the process at an offset and fills its halo on the other side.
  std::vector<Offset> directions;
  for (const Offset& offset : planned.problem().stencil.offsets()) {
    directions.emplace_back();
    for (const Count step : offset) directions.back().push_back(-step);
  }
  const auto schedule =
      unless_refused([&] { return Interface::schedule(*cart, planned, Stencil(directions)); });
  if (!plan) {
    const bool nothing =
        std::none_of(planned.problem().stencil.offsets().begin(), planned.problem().stencil.offsets().end(),
                     [&](const Offset& offset) { return plan::sends(offset, planned.halo()); });
    EXPECT_TRUE(!schedule || nothing) << "the plan is refused, the halo is not";
    return "";
  }
  EXPECT_EQ(schedule.value_or("refused"), plan->schedule);
  return plan->schedule;
}

/// Compares so many cases, more where there is time.
template <class Interface>
void compare_halos_with_plans(const char* what, std::uint64_t seed, int cases, double share = 1) {
  Trials trials(what, seed, cases, share);
  std::map<std::string, int> seen;
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    ++seen[compare_halo_with_plan<Interface>(trials.seed())];
  }
  if (world_rank() == 0) {
    for (const auto& [schedule, number] : seen)
      std::cout << "  " << number << " " << (schedule.empty() ? "refused" : schedule);
    std::cout << std::endl;
  }
  if (world_size() >= 8 && trials.done() >= 20) {
    EXPECT_GE(seen.size(), 3U) << "the cases are too much alike";
  }
}

}  // namespace halocline
