#include "place/best.hpp"

#include "place/cost/preference.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

namespace halocline::place {
namespace {

/// At most 3 % above every algorithm of the table.
void expect_best(const Problem& problem) {
  const BestPlacement found = best(problem, {10, true});
  ASSERT_EQ(found.cost, cost(problem, found.placement)) << text(problem);
  for (const Algorithm& algorithm : algorithms()) {
    const Count single = node_cost(problem, algorithm.place(problem)).total.bytes;
    ASSERT_LE(found.cost.j_sum() * 100, single * 103) << algorithm.name << ": " << text(problem);
  }
}

TEST(Best, is_never_worse_than_an_algorithm_on_small_grids) { for_each_small_problem(4, expect_best); }
TEST(Best, is_never_worse_than_an_algorithm_on_random_grids) { for_each_random_problem(30, expect_best); }

TEST(Best, reaches_the_reference_values) {
  const auto j_sum = [](const char* grid, const char* nodes, const char* stencil) {
    return best(make_problem(grid, nodes, stencil)).cost.j_sum();
  };
  EXPECT_LE(j_sum("50x48", "50x48", "nearest"), 1204);
  EXPECT_LE(j_sum("50x48", "50x48", "hops"), 2868);
  EXPECT_LE(j_sum("50x48", "50x48", "component"), 96);
  EXPECT_LE(j_sum("75x64", "100x48", "nearest"), 2544);
  EXPECT_LE(j_sum("75x64", "100x48", "hops"), 6166);
  EXPECT_LE(j_sum("75x64", "100x48", "component"), 192);
  EXPECT_LE(j_sum("5x4", "5x4", "hops"), 54);
  EXPECT_LE(j_sum("50x48 periodic:1,1", "50x48", "nearest"), 1400);
  EXPECT_LE(j_sum("50x48", "40x48,20x24", "nearest"), 1324);
}

TEST(Best, does_not_depend_on_the_clock) {
  const Problem problem = make_problem("60x40", "50x48", "moore:1");
  for (const double seconds : {0.0, 1e-3, 1.0}) {
    const BestPlacement once = best(problem, {seconds, true}), again = best(problem, {seconds, true});
    EXPECT_EQ(once.algorithm, again.algorithm);
    for (Rank rank = 0; rank < problem.grid().size(); ++rank)
      ASSERT_EQ(once.placement.cell(rank), again.placement.cell(rank));
  }
  EXPECT_EQ(best(problem, {0.0, true}).algorithm, "optimal-strips");
}

TEST(Best, prefers_by_sum_then_by_maximum) {
  const auto choose = [](const std::vector<std::pair<Count, Count>>& costs) {
    std::vector<LevelCost> levels;
    for (const auto& [sum, max] : costs) levels.push_back({"node", {sum, sum}, {max, max}, {}});
    return preferred(levels);
  };
  EXPECT_EQ(choose({{100, 5}, {99, 20}}), 0U);   // 1 % more, a quarter
  EXPECT_EQ(choose({{100, 6}, {99, 20}}), 1U);   // not a quarter
  EXPECT_EQ(choose({{104, 2}, {100, 20}}), 1U);  // 4 % more
  EXPECT_EQ(choose({{96, 24}, {98, 2}}), 1U);
  EXPECT_EQ(choose({{100, 12}, {100, 11}}), 1U);
  EXPECT_EQ(choose({{0, 0}, {0, 0}}), 0U);
}

}  // namespace
}  // namespace halocline::place
