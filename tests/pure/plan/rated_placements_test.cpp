#include "plan/prediction/rated_placements.hpp"
#include "halocline/plan/plan.hpp"
#include "place/algorithms.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halocline::plan {
namespace {

constexpr LevelCosts prices{{1e-7, 1e-10}, {1e-6, 2e-10}};

Choices choices_of(const std::string& schedule, const std::string& algorithm) {
  Choices choices;
  choices.grid.algorithm = algorithm_named(algorithm);
  choices.schedule = schedule_named(schedule);
  choices.prices = prices;
  return choices;
}

/// A rated placement is what a plan gets that is told to take its grid, its schedule and that algorithm.
void expect_as_planned(Problem problem, const std::string& schedule) {
  const Plan plan = make_plan(problem, choices_of(schedule, "best"));
  const std::vector<RatedPlacement> rated = rate_placements(problem, plan, prices);
  ASSERT_EQ(rated.size(), place::algorithms().size());
  problem.fixed = plan.grid.extents();
  for (std::size_t i = 0; i < rated.size(); ++i) {
    SCOPED_TRACE(rated[i].name);
    EXPECT_EQ(rated[i].name, place::algorithms()[i].name);
    const Prediction expected = make_plan(problem, choices_of(schedule, rated[i].name)).prediction;
    EXPECT_EQ(rated[i].prediction.total, expected.total);
    EXPECT_EQ(rated[i].prediction.largest_node_bytes, expected.largest_node_bytes);
    EXPECT_EQ(rated[i].prediction.bottleneck_node, expected.bottleneck_node);
    EXPECT_EQ(rated[i].prediction.seconds.total(), expected.seconds.total());
    if (rated[i].name != plan.placed_by) continue;
    EXPECT_EQ(rated[i].prediction.total, plan.prediction.total);
  }
}

Problem problem_of(const char* mesh, const char* machine, Counts halo = {}) {
  const Mesh parsed = Mesh::parse(mesh);
  return {parsed, Stencil::parse("moore:1", parsed.dimensions()), Machine::parse(machine), std::move(halo)};
}

TEST(RatedPlacements, are_what_a_plan_would_get) {
  expect_as_planned(problem_of("25x24x29 periodic:0,1,0", "nodes:8,10,6"), "direct");
  expect_as_planned(problem_of("25x24x29 periodic:0,1,0", "nodes:8,10,6"), "node");
  expect_as_planned(problem_of("24x24", "nodes:4x6"), "torus");
  expect_as_planned(problem_of("97", "nodes:3,4"), "direct");
}

TEST(RatedPlacements, leave_out_random_where_it_costs_too_much) {
  const auto has_random = [](const char* machine) {
    const Problem problem = problem_of("200000", machine);
    const std::vector<RatedPlacement> rated = rate_placements(problem, make_plan(problem), prices);
    EXPECT_GE(rated.size(), place::algorithms().size() - 1);
    return std::any_of(rated.begin(), rated.end(), [](const auto& one) { return one.name == "random"; });
  };
  EXPECT_TRUE(has_random("nodes:128x1024"));
  EXPECT_FALSE(has_random("nodes:128x1024,1"));
}

TEST(RatedPlacements, leave_out_directions_without_a_halo) {
  expect_as_planned(problem_of("25x24x29", "nodes:8,10,6", {1, 0, 2}), "direct");
}

}  // namespace
}  // namespace halocline::plan
