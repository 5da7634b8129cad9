#include "place/strip_planner.hpp"

#include "halocline/place/cost.hpp"
#include "place/row_kinds.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <numeric>

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

}  // namespace
}  // namespace halocline::place
