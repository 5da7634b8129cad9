#include "place/cost/contest.hpp"

#include "place/algorithms.hpp"
#include "place/cost/preference.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halocline::place {
namespace {

/// What the rule prefers if it knows every cost in full.
void expect_preferred(const Problem& problem) {
  std::vector<Placement> placements;
  std::vector<LevelCost> costs;
  for (const Algorithm& algorithm : algorithms()) {
    placements.push_back(algorithm.place(problem));
    costs.push_back(node_cost(problem, placements.back()));
  }
  std::vector<std::size_t> order(placements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    Contest contest(problem);
    std::vector<LevelCost> turned;
    for (const std::size_t i : order) {
      contest.enter({placements[i]});
      turned.push_back(costs[i]);
    }
    ASSERT_EQ(contest.winner(), preferred(turned)) << text(problem) << ", turn " << turn;
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
}

TEST(Contest, finds_the_preferred_one_on_small_grids) { for_each_small_problem(5, expect_preferred); }
TEST(Contest, finds_the_preferred_one_on_random_grids) { for_each_random_problem(60, expect_preferred); }

TEST(Contest, believes_what_is_known) {
  const Problem problem = make_problem("8x8", "4x16", "nearest");
  const Placement placement = algorithm("blocked").place(problem);
  Contest contest(problem);
  contest.enter({placement, 50});
  contest.enter({placement, 40});
  EXPECT_EQ(contest.winner(), 1U);
  EXPECT_EQ(contest.entered(1).sum, 40);
}

}  // namespace
}  // namespace halocline::place
