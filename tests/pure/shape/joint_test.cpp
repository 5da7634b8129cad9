#include "brute_force.hpp"
#include "halocline/base/error.hpp"
#include "shape/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halocline::shape {
namespace {

using Levels = std::vector<Counts>;

/// The sum over the levels of ratio * weights * parts, periodic dimensions free until they are cut.
Count objective(const Levels& levels, const Counts& weights, const Counts& ratios, const Periodicity& flags) {
  Counts parts(weights.size(), 1);
  Count sum = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    parts = times(parts, levels[level]);
    for (std::size_t d = 0; d < parts.size(); ++d)
      if (parts[d] > 1 || !flags[d]) sum += ratios[level] * weights[d] * parts[d];
  }
  return sum;
}

/// Calls visit with every shape of the given level sizes.
template <class Visit>
void for_all_shapes(const Counts& sizes, std::size_t dimensions, Levels& levels, const Visit& visit) {
  if (levels.size() == sizes.size()) return visit(levels);
  for (const Counts& factors : all_grids(sizes[levels.size()], dimensions)) {
    levels.push_back(factors);
    for_all_shapes(sizes, dimensions, levels, visit);
    levels.pop_back();
  }
}

TEST(Joint, beats_level_by_level_where_the_outer_level_spoils_the_inner) {
  const Problem problem{{24, 32}, Weights::of_mesh(Mesh({3, 2})), {}, {}, {}};
  const Shape greedy = by_levels(problem);
  EXPECT_EQ(greedy.levels, (Levels{{6, 4}, {8, 4}}));
  EXPECT_DOUBLE_EQ(level_costs(problem, greedy)[0], 4);
  EXPECT_DOUBLE_EQ(level_costs(problem, greedy)[1], 24);

  const JointShape best = joint(problem);
  EXPECT_TRUE(best.proven);
  EXPECT_EQ(best.shape.levels, (Levels{{8, 3}, {4, 8}}));
  EXPECT_NEAR(level_costs(problem, best.shape)[0], 4.17, 0.005);
  EXPECT_NEAR(level_costs(problem, best.shape)[1], 22.67, 0.005);

  // Where only the network counts, the best grid of the nodes stays.
  EXPECT_EQ(joint(problem, {1000, 1}).shape, greedy);
}

TEST(Joint, is_what_exhaustive_search_finds) {
  std::mt19937 random(21);
  int improved = 0;
  for (int sample = 0; sample < 150; ++sample) {
    Counts sizes(2 + random() % 2);
    for (Count& size : sizes) size = 1 + static_cast<Count>(random() % (sizes.size() == 2 ? 36 : 12));
    Counts weights(1 + random() % 3);
    for (Count& weight : weights) weight = 1 + static_cast<Count>(random() % 9);
    Counts ratios(sizes.size());
    for (Count& ratio : ratios) ratio = 1 + static_cast<Count>(random() % 8);
    Periodicity flags;
    for (std::size_t d = 0; d < weights.size(); ++d) flags.push_back(random() % 3 == 0);

    const Problem problem{sizes, weights_of(weights), {}, {}, flags};
    const JointShape found = joint(problem, std::vector<double>(ratios.begin(), ratios.end()));
    const Levels greedy = by_levels(problem).levels;
    Levels levels;
    Count least = objective(greedy, weights, ratios, flags);
    for_all_shapes(sizes, weights.size(), levels, [&](const Levels& shape) {
      least = std::min(least, objective(shape, weights, ratios, flags));
    });
    EXPECT_TRUE(found.proven);
    EXPECT_EQ(objective(found.shape.levels, weights, ratios, flags), least) << "sample " << sample;
    if (least == objective(greedy, weights, ratios, flags))
      EXPECT_EQ(found.shape.levels, greedy) << "sample " << sample;
    else
      ++improved;
  }
  EXPECT_GT(improved, 5);
}

TEST(Joint, honours_fixed_extents_and_limits) {
  std::mt19937 random(22);
  for (int sample = 0; sample < 150; ++sample) {
    const Counts sizes{1 + static_cast<Count>(random() % 24), 1 + static_cast<Count>(random() % 24)};
    const Counts weights{3, 2, 4};
    const std::vector<Counts> grids = all_grids(sizes[0] * sizes[1], 3);
    Problem problem{sizes, weights_of(weights), {0, 0, 0}, grids[random() % grids.size()], {}};
    if (sample % 2 == 0) {
      const std::size_t d = random() % 3;
      problem.fixed[d] = problem.limits[d];
    }
    const Levels found = joint(problem, {5, 1}).shape.levels;
    const auto fits = [&](const Levels& shape) {
      const Counts dims = Shape{shape}.dims();
      for (std::size_t d = 0; d < 3; ++d)
        if (dims[d] > problem.limits[d] || (problem.fixed[d] > 0 && dims[d] != problem.fixed[d]))
          return false;
      return true;
    };
    EXPECT_TRUE(fits(found));
    const Periodicity open(3, false);
    Count least = objective(found, weights, {5, 1}, open);
    Levels levels;
    for_all_shapes(sizes, 3, levels, [&](const Levels& shape) {
      if (fits(shape)) least = std::min(least, objective(shape, weights, {5, 1}, open));
    });
    EXPECT_EQ(objective(found, weights, {5, 1}, open), least) << "sample " << sample;
  }
}

TEST(Joint, gives_the_best_it_met_when_the_work_is_limited) {
  const Problem problem = Problem::for_mesh({24, 32}, Mesh({3000, 2000}));
  const JointShape nothing = joint(problem, {}, 0);
  EXPECT_FALSE(nothing.proven);
  EXPECT_EQ(nothing.shape, by_levels(problem));

  const Problem hostile{{735134400, 720720}, Weights({1, 1.1, 1.2, 1.3, 1.4, 1.5}), {}, {}, {}};
  const JointShape cut_short = joint(hostile);
  EXPECT_FALSE(cut_short.proven);
  EXPECT_EQ(cut_short, joint(hostile));
}

TEST(Joint, of_one_level_is_the_best_grid) {
  const Problem problem{{360}, Weights::equal(3), {}, {}, {}};
  EXPECT_EQ(joint(problem), (JointShape{{{{9, 8, 5}}}, true}));
}

TEST(Joint, refuses_bad_ratios) {
  const Problem problem{{4, 4}, Weights::equal(2), {}, {}, {}};
  for (const std::vector<double>& ratios :
       std::vector<std::vector<double>>{{1}, {1, 0}, {1, -2}, {1, std::nan("")}, {1, 1, 1}})
    EXPECT_THROW((void)joint(problem, ratios), Error);
}

}  // namespace
}  // namespace halocline::shape
