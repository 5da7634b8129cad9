// A plan says what communicators and exchanges do by themselves: both ask the same functions of what they
// know. Here they are asked as src/mpi/communicators/placed_cart.cpp and src/exchange/planning/choice.cpp do
// it, of a description that is worked out process by process.
//   HALOCLINE_CASES=10000 HALOCLINE_SEED=1 build/release/bin/plan_test --gtest_filter='Planned.*'

#include "../../environment_number.hpp"
#include "halocline/base/error.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/placement/network_contest.hpp"
#include "plan/random_problems.hpp"
#include "plan/transport/schedule_choice.hpp"
#include "schedule/on_grid.hpp"
#include "unless_refused.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <map>

namespace halocline::plan {
namespace {

struct Made {
  Grid grid;
  Placement placement;
  std::string algorithm;
};

/// What a communicator of a mesh is, its processes sharing the mappings to the network.
Made communicator(const RandomProblem& given, Count processes) {
  const Problem& problem = given.problem;
  const std::string wanted = name_of(given.choices.grid.algorithm);
  GridChoice choice =
      choose_grid({problem.mesh, problem.stencil, problem.machine, problem.halo, problem.fixed},
                  {.algorithm = given.choices.grid.algorithm});
  if (!problem.allocation) return {choice.grid, choice.placement, choice.algorithm};
  const place::Problem placing(choice.grid, that_sends(choice.stencil, problem.halo), problem.machine);
  const NetworkOptions options{.variant = given.choices.network.variant};
  const NetworkContest contest(
      placing,
      network_candidates(placing, {choice.algorithm, choice.placement}, wanted, name_of(options.variant)),
      *problem.allocation, options);
  network::Score least = contest.best(0, 0);
  for (Count process = 0; process < processes; ++process)
    least = std::min(least, contest.best(contest.size() * process / processes,
                                         contest.size() * (process + 1) / processes));
  auto [algorithm, fitted] = contest.winner(least.rotation);
  return {choice.grid, fitted.placement, algorithm};
}

/// Blocks as the processes of a communicator have them for each other, worked out for each of them.
/// Nobody makes one of nothing.
class PlannedBlocks {
 public:
  PlannedBlocks(const Problem& problem, const Made& made)
      : problem_(problem), made_(made), offsets_(problem.stencil) {
    const Grid& grid = made.grid;
    node_of_.resize(static_cast<std::size_t>(grid.size()));
    Rank rank = 0;
    for (Count node = 0; node < problem.machine.nodes(); ++node)
      for (Count i = 0; i < problem.machine.node_sizes()[node]; ++i, ++rank)
        node_of_[static_cast<std::size_t>(grid.index(made.placement.cell(rank)))] = static_cast<int>(node);
    std::vector<Offset> sending;
    for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
      const Offset& offset = problem.stencil.offsets()[i];
      Counts bytes;
      for (Count cell = 0; cell < grid.size(); ++cell)
        bytes.push_back(sent_points(cell, offset) * problem.stencil.weights()[i] * problem.fields *
                        problem.value_bytes);
      if (*std::max_element(bytes.begin(), bytes.end()) == 0) continue;
      sending.push_back(offset);
      bytes_.push_back(bytes);
    }
    if (!sending.empty()) offsets_ = Stencil(sending);
  }

  /// Has each process all points of the halos it fills?
  [[nodiscard]] bool wide() const {
    for (std::size_t d = 0; d < made_.grid.dimensions(); ++d)
      for (Count i = 0; i < made_.grid.extents()[d]; ++i)
        if ((made_.grid.extents()[d] > 1 || made_.grid.periodic(d)) && share(d, i) < width(d)) return false;
    return true;
  }
  [[nodiscard]] bool nothing() const { return bytes_.empty(); }

  [[nodiscard]] std::string chosen(const LevelCosts& costs) const {
    std::map<std::string, Schedule> schedules;
    const auto schedule = [&](const std::string& name) -> const Schedule& {
      return schedules
          .try_emplace(name,
                       schedule::on(schedule::algorithm(name), offsets_, Operation::alltoall, made_.grid))
          .first->second;
    };
    const auto bytes = [&](Count cell, std::size_t neighbour) {
      return bytes_[neighbour][static_cast<std::size_t>(cell)];
    };
    return name_of(choose_schedule({made_.grid, offsets_, Operation::alltoall, node_of_,
                                    static_cast<int>(problem_.machine.nodes()), bytes},
                                   costs, {true, even(), schedule}));
  }

 private:
  [[nodiscard]] Count width(std::size_t d) const { return problem_.halo.empty() ? 1 : problem_.halo[d]; }
  [[nodiscard]] Count share(std::size_t d, Count i) const {
    const Count points = problem_.mesh.extents()[d], parts = made_.grid.extents()[d];
    return points / parts + (i < points % parts ? 1 : 0);
  }
  [[nodiscard]] bool even() const {
    for (std::size_t d = 0; d < made_.grid.dimensions(); ++d)
      if (problem_.mesh.extents()[d] % made_.grid.extents()[d] != 0) return false;
    return true;
  }
  /// One by one along each dimension.
  [[nodiscard]] Count sent_points(Count cell, const Offset& offset) const {
    const Cell at = made_.grid.cell(cell);
    Count all = 1;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const Count own = share(d, at[d]);
      Count here = 0;
      for (Count i = 0; i < own; ++i)
        if (offset[d] == 0 || (offset[d] > 0 ? i >= own - width(d) : i < width(d))) ++here;
      all *= here;
    }
    return all;
  }

  const Problem& problem_;
  const Made& made_;
  Stencil offsets_;
  std::vector<int> node_of_;
  std::vector<Counts> bytes_;  ///< For each offset, of each cell.
};

/// What came of the cases.
struct Seen {
  std::map<std::string, int> schedules;
  int planned = 0, refused = 0, placed_by_network = 0;
};

void compare(const RandomProblem& given, Count processes, Seen& seen) {
  const auto plan = unless_refused([&] { return make_plan(given.problem, given.choices); });
  const auto made = unless_refused([&] { return communicator(given, processes); });
  if (!plan || !made) {
    // The plan refuses what has no communicator, and besides halos that no process or nobody can fill.
    const bool nobodys = made && (!PlannedBlocks(given.problem, *made).wide() ||
                                  PlannedBlocks(given.problem, *made).nothing());
    ASSERT_EQ(plan.has_value(), made.has_value() && !nobodys);
    ++seen.refused;
    return;
  }
  ASSERT_EQ(plan->grid.to_text(), made->grid.to_text());
  ASSERT_EQ(plan->placed_by, made->algorithm);
  for (Rank rank = 0; rank < processes; ++rank)
    ASSERT_EQ(plan->placement.cell(rank), made->placement.cell(rank));
  ASSERT_EQ(plan->schedule, PlannedBlocks(given.problem, *made).chosen(given.choices.prices));
  ++seen.planned;
  ++seen.schedules[plan->schedule];
  if (plan->network && plan->network->score < plan->network->score_before) ++seen.placed_by_network;
}

/// From few processes to hundreds, primes among them.
Count number_of_processes(std::uint64_t seed) {
  std::mt19937_64 random(~seed);
  const Count most[] = {8, 16, 64, 64, 300};
  return RandomGrids::between(random, 1, most[seed % std::size(most)]);
}

TEST(Planned, what_processes_do_by_themselves_is_what_the_plan_says) {
  const auto first = environment_number<std::uint64_t>("HALOCLINE_SEED", 1, 0);
  const auto seconds = environment_number("HALOCLINE_SECONDS", 0, 0);
  const auto cases = environment_number("HALOCLINE_CASES", 300);
  const auto begin = std::chrono::steady_clock::now();
  const auto wanted = [&](int done) {
    return seconds > 0 ? std::chrono::steady_clock::now() - begin < std::chrono::seconds(seconds)
                       : done < cases;
  };
  Seen seen;
  int done = 0;
  for (; wanted(done) && !HasFailure(); ++done) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(done);
    const Count processes = number_of_processes(seed);
    RandomProblem given = RandomProblems(seed, processes).any();
    SCOPED_TRACE(testing::Message() << "HALOCLINE_SEED=" << seed
                                    << " HALOCLINE_CASES=1: " << given.to_text());
    compare(given, processes, seen);
    if (HasFailure()) std::cout << "plans: seed " << seed << " failed\n";
  }
  std::cout << "plans: " << done << " cases, seeds " << first << " to "
            << first + static_cast<std::uint64_t>(done) - 1 << "\n  " << seen.refused << " refused, "
            << seen.placed_by_network << " moved on their network";
  for (const auto& [schedule, number] : seen.schedules) std::cout << ", " << number << " " << schedule;
  std::cout << "\n";
  if (done < 300) return;
  EXPECT_GE(seen.planned, 3 * seen.refused) << "too few cases that can be had";
  EXPECT_GE(seen.schedules.size(), 4U) << "the cases are too much alike";
  EXPECT_GE(seen.placed_by_network, 10) << "the networks make no difference";
}

}  // namespace
}  // namespace halocline::plan
