#include "place/optimal_strips/strip_planner.hpp"

#include "place/cost/cost.hpp"
#include "place/optimal_strips/row_kinds.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <set>

namespace halocline::place {
namespace {

/// Plans every order and kind of rows, and counts those whose cost the model claims to know.
std::size_t expect_known_sums(const Problem& problem) {
  const Steps steps = normalized_steps(problem.grid(), problem.stencil());
  const Runs& sizes = problem.machine().node_sizes();
  std::size_t known = 0;
  std::vector<std::size_t> order(problem.grid().dimensions());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    const std::vector<NodeLine> lines{NodeLine::in_rank_order(sizes), NodeLine::largest_first(sizes),
                                      NodeLine::interleaved(sizes)};
    StripPlanner planner(problem, steps, lines.front().sizes(), order, {1.6, 4});
    for (const Rows& rows : kinds_of_rows(steps, order)) {
      for (const NodeLine& line : lines) {
        const PlannedStrips planned = planner.plan(rows, line);
        if (!planned.known_sum()) continue;
        ++known;
        const Placement placement(problem.grid(),
                                  std::make_shared<StripWalk>(problem.grid(), planned.plan, line));
        EXPECT_EQ(*planned.known_sum(), node_cost(problem, placement).total.bytes) << text(problem);
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return known;
}

TEST(StripPlanner, knows_the_cost_where_it_says_so) {
  std::size_t known = 0;
  for_each_small_problem(4, [&](const Problem& problem) { known += expect_known_sums(problem); });
  for_each_random_problem(150, [&](const Problem& problem) { known += expect_known_sums(problem); });
  EXPECT_GT(known, 200U);
}

TEST(StripPlanner, knows_the_cost_where_nothing_stays_on_a_node_around_the_grid) {
  for (const auto& [grid, nodes] :
       std::vector<std::pair<const char*, const char*>>{{"40x36 periodic:1,1", "120x12"},
                                                        {"40x36 periodic:0,1", "120x12"},
                                                        {"18x16x15 periodic:1,1,1", "540x8"},
                                                        {"40x36 periodic:1,0", "60x12,45x16"},
                                                        {"11x10x9x8 periodic:1,0,1,0", "990x8"}})
    for (const char* const stencil : {"nearest", "moore:1"})
      EXPECT_GT(expect_known_sums(make_problem(grid, nodes, stencil)), 0U) << grid << " " << stencil;
}

/// In large grids J_max is bounded by the planner, closely enough to tell it from four times as much.
TEST(StripPlanner, ends_where_it_takes_too_many_steps) {
  const Problem problem = make_problem("12x10x9x4", "27x40,180x18", "moore:1");
  const Steps steps = normalized_steps(problem.grid(), problem.stencil());
  const NodeLine line = NodeLine::in_rank_order(problem.machine().node_sizes());
  const std::vector<std::size_t> order{0, 1, 2, 3};
  const std::set<Rows> kinds = kinds_of_rows(steps, order);
  StripPlanner planner(problem, steps, line.sizes(), order, {1.6, 4});
  constexpr double plenty = 1e12;
  double left = plenty;
  const std::optional<PlannedStrips> planned = planner.plan_within(left, *kinds.begin(), line);
  ASSERT_TRUE(planned.has_value());
  const double taken = plenty - left;
  EXPECT_GT(taken, 1000);
  // What was given up on leaves nothing behind.
  for (const double share : {0.0, 0.1, 0.5, 0.9}) {
    StripPlanner another(problem, steps, line.sizes(), order, {1.6, 4});
    left = share * taken;
    EXPECT_FALSE(another.plan_within(left, *kinds.begin(), line).has_value()) << share;
    EXPECT_LT(left, 0) << share;
    EXPECT_EQ(another.plan(*kinds.begin(), line).cost, planned->cost) << share;
  }
}

TEST(StripPlanner, bounds_the_maximum_of_large_grids) {
  const std::vector<std::pair<const char*, const char*>> worlds{
      {"500x201", "20100x5"},       {"350x287", "14350x7"},        {"50x46x45", "20700x5"},
      {"360x300", "2250x48"},       {"401x360", "3000x40,609x40"}, {"60x50x40", "2500x48"},
      {"364x300", "2000x48,550x24"}};
  for (const auto& [grid, nodes] : worlds)
    for (const char* const stencil : {"nearest", "hops", "moore:1"}) {
      const Problem problem = make_problem(grid, nodes, stencil);
      const Steps steps = normalized_steps(problem.grid(), problem.stencil());
      std::vector<std::size_t> order(problem.grid().dimensions());
      std::iota(order.begin(), order.end(), std::size_t{0});
      const NodeLine line = NodeLine::in_rank_order(problem.machine().node_sizes());
      StripPlanner planner(problem, steps, line.sizes(), order, {1.6, 4});
      const PlannedStrips planned = planner.plan(*kinds_of_rows(steps, order).begin(), line);
      ASSERT_TRUE(planned.maximum_at_most) << text(problem);
      const Placement placement(problem.grid(),
                                std::make_shared<StripWalk>(problem.grid(), planned.plan, line));
      const Count maximum = node_cost(problem, placement).largest.bytes;
      EXPECT_LE(maximum, *planned.maximum_at_most) << text(problem);
      EXPECT_LT(*planned.maximum_at_most, 4 * maximum) << text(problem);
    }
}

}  // namespace
}  // namespace halocline::place
