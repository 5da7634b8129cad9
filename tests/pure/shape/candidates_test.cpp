#include "brute_force.hpp"
#include "halocline/base/error.hpp"
#include "shape/choose.hpp"

#include <gtest/gtest.h>

#include <set>

namespace halocline::shape {
namespace {

TEST(Candidates, are_all_grids_by_increasing_cost) {
  for (const Counts& weights : std::vector<Counts>{{1}, {1, 1}, {5, 3}, {1, 1, 1}, {2, 7, 3}, {1, 2, 2, 1}})
    for (const Count p : {1, 7, 12, 60, 96, 100}) {
      const Problem problem{{p}, weights_of(weights), {}, {}, {}};
      const std::vector<Counts> found = candidates(problem, 100'000);
      const std::vector<Counts> all = all_grids(p, weights.size());
      EXPECT_EQ(std::set<Counts>(found.begin(), found.end()), std::set<Counts>(all.begin(), all.end()));
      ASSERT_EQ(found.size(), all.size());
      EXPECT_EQ(found.front(), weighted_dims(p, problem.weights));
      for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_LE(key(found[i - 1], weights), key(found[i], weights));
      // Fewer are the first of all.
      for (const std::size_t most : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        const std::vector<Counts> few = candidates(problem, most);
        ASSERT_EQ(few.size(), std::min(most, all.size()));
        EXPECT_TRUE(std::equal(few.begin(), few.end(), found.begin()));
      }
    }
}

TEST(Candidates, take_all_levels_together_and_honour_fixed_extents_and_limits) {
  const Problem problem{{2, 2, 6}, Weights::equal(3), {0, 2, 0}, {0, 0, 4}, {}};
  const std::vector<Counts> expected{{4, 2, 3}, {6, 2, 2}, {3, 2, 4}, {12, 2, 1}};
  const std::vector<Counts> found = candidates(problem, 10);
  EXPECT_EQ(std::set<Counts>(found.begin(), found.end()), std::set<Counts>(expected.begin(), expected.end()));
  EXPECT_EQ(found.front(), (Counts{4, 2, 3}));
  EXPECT_TRUE(candidates(problem, 0).empty());
  EXPECT_TRUE(candidates({{7}, Weights::equal(2), {}, {6, 6}, {}}, 10).empty());
  EXPECT_THROW((void)candidates({{7}, Weights::equal(2), {2, 0}, {}, {}}, 10), Error);
}

}  // namespace
}  // namespace halocline::shape
