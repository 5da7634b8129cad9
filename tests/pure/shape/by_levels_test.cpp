// The paper's examples, and the laws of the choice level by level.

#include "brute_force.hpp"
#include "halocline/base/error.hpp"
#include "shape/choose.hpp"

#include <gtest/gtest.h>

namespace halocline::shape {
namespace {

using Levels = std::vector<Counts>;

Counts plain(Count p, std::size_t dimensions) { return weighted_dims(p, Weights::equal(dimensions)); }

TEST(PaperExamples, one_level_that_fits_the_mesh) {
  const Shape shape = by_levels(Problem::for_mesh({12}, Mesh({1800, 580})));
  EXPECT_EQ(shape.levels, (Levels{{6, 2}}));
}

TEST(PaperExamples, nodes_and_cores) {
  EXPECT_EQ(by_levels(Problem::for_mesh({25, 24}, Mesh({3000, 3000}))).levels, (Levels{{5, 5}, {6, 4}}));
  const Shape cubic = by_levels({{625, 24}, Weights::equal(3), {}, {}, {}});
  EXPECT_EQ(cubic.levels, (Levels{{25, 5, 5}, {1, 6, 4}}));
  EXPECT_EQ(cubic.dims(), (Counts{25, 30, 20}));
}

TEST(PaperExamples, three_levels_from_mesh_or_doubles) {
  const Levels expected{{5, 25, 5}, {2, 1, 1}, {3, 1, 4}};
  const Shape of_mesh = by_levels(Problem::for_mesh({625, 2, 12}, Mesh({1000, 1100, 950})));
  EXPECT_EQ(of_mesh.levels, expected);
  EXPECT_EQ(of_mesh.dims(), (Counts{30, 25, 20}));
  const Weights doubles({1.0 / 1000, 1.0 / 1100, 1.0 / 950});
  EXPECT_EQ(by_levels({{625, 2, 12}, doubles, {}, {}, {}}).levels, expected);
  EXPECT_EQ(by_levels(Problem::for_mesh({4, 2, 6}, Mesh({6000, 8080}))).dims(), (Counts{6, 8}));
}

TEST(PaperExamples, plain_dims) {
  EXPECT_EQ(plain(360, 3), (Counts{9, 8, 5}));
  EXPECT_EQ(plain(35200, 3), (Counts{44, 32, 25}));
  EXPECT_EQ(plain(37044, 3), (Counts{49, 28, 27}));
  EXPECT_EQ(plain(3696, 3), (Counts{21, 16, 11}));
  EXPECT_EQ(plain(5040, 3), (Counts{20, 18, 14}));
  EXPECT_EQ(plain(6240, 3), (Counts{24, 20, 13}));
  EXPECT_EQ(plain(2160, 4), (Counts{9, 8, 6, 5}));
  EXPECT_EQ(plain(2520, 4), (Counts{9, 8, 7, 5}));
  EXPECT_EQ(plain(2880, 4), (Counts{9, 8, 8, 5}));
  EXPECT_EQ(plain(3240, 4), (Counts{9, 9, 8, 5}));
  EXPECT_EQ(plain(72, 2), (Counts{9, 8}));
  EXPECT_EQ(plain(6125, 2), (Counts{125, 49}));
}

TEST(PaperExamples, grid_of_the_links_example) {
  EXPECT_EQ(by_levels({{9, 4, 6}, Weights::equal(2), {}, {}, {}}).dims(), (Counts{18, 12}));
  EXPECT_EQ(by_levels(Problem::for_mesh({9, 4, 6}, Mesh({12, 18}))).dims(), (Counts{12, 18}));
}

TEST(WeightedDims, are_what_exhaustive_search_finds) {
  const std::vector<Counts> weights{{1},          {1, 1},          {3, 2},         {1, 10},
                                    {1, 1, 1},    {2, 1, 2},       {3, 5, 4},      {1, 1, 1, 1},
                                    {7, 2, 3, 2}, {1, 1, 9, 9},    {6, 3, 2, 1},   {100, 1, 10},
                                    {1, 50},      {1, 1, 1, 1, 1}, {5, 4, 3, 2, 1}};
  for (const Counts& own : weights)
    for (Count p = 1; p <= 240; ++p)
      EXPECT_EQ(weighted_dims(p, weights_of(own)), best_grid(all_grids(p, own.size()), own))
          << p << " " << testing::PrintToString(own);
}

TEST(WeightedDims, are_what_exhaustive_search_finds_for_sampled_large_sizes) {
  std::mt19937 random(4);
  for (int sample = 0; sample < 150; ++sample) {
    const Count p = 12 * (1 + static_cast<Count>(random() % 833));
    Counts weights(2 + random() % 3);
    for (Count& weight : weights) weight = 1 + static_cast<Count>(random() % 30);
    EXPECT_EQ(weighted_dims(p, weights_of(weights)), best_grid(all_grids(p, weights.size()), weights))
        << p << " " << testing::PrintToString(weights);
  }
}

TEST(WeightedDims, do_not_depend_on_the_unit_of_the_weights) {
  for (const Count p : {48, 360, 5040, 720720})
    for (const double unit : {1e-300, 1e-9, 1.0, 1.0 / 3, 1e300}) {
      EXPECT_EQ(weighted_dims(p, Weights({unit, unit, unit})), plain(p, 3));
      EXPECT_EQ(weighted_dims(p, Weights({unit, 2 * unit, 4 * unit})), weighted_dims(p, Weights({1, 2, 4})));
    }
}

TEST(WeightedDims, are_exact_where_doubles_tie) {
  // The next double after 1: too close for rounded sums, but not equal.
  const double next = 1 + 0x1p-52;
  EXPECT_EQ(weighted_dims(6, Weights({next, 1.0})), (Counts{2, 3}));
  EXPECT_EQ(weighted_dims(6, Weights({1.0, next})), (Counts{3, 2}));
  EXPECT_EQ(weighted_dims(6, Weights({1.0, 1.0})), (Counts{3, 2}));
  EXPECT_EQ(weighted_dims(12, Weights({1e300, 1e-300, 2e-300})), (Counts{1, 4, 3}));
  EXPECT_EQ(weighted_dims(12, Weights({1e300, 2e-300, 1e-300})), (Counts{1, 3, 4}));
}

TEST(WeightedDims, stay_quick_in_many_dimensions) {
  EXPECT_EQ(plain(1, 8), Counts(8, 1));
  EXPECT_EQ(plain(256, 8), Counts(8, 2));
  EXPECT_EQ(plain(735134400, 8), (Counts{17, 15, 14, 13, 12, 12, 11, 10}));
  const Counts many = plain(Count{1} << 40, 20);
  EXPECT_EQ(many, Counts(20, 4));
}

TEST(WeightedDims, keep_fixed_entries) {
  EXPECT_EQ(weighted_dims(48, Weights::equal(3), {0, 4, 0}), (Counts{4, 4, 3}));
  EXPECT_EQ(weighted_dims(48, Weights::equal(3), {0, 48, 0}), (Counts{1, 48, 1}));
  EXPECT_EQ(weighted_dims(48, Weights::equal(3), {2, 4, 6}), (Counts{2, 4, 6}));
  EXPECT_EQ(weighted_dims(48, Weights({9, 1, 3}), {1, 0, 0}), (Counts{1, 12, 4}));
  for (Count p = 1; p <= 200; ++p)
    for (Count held = 1; held <= p; ++held) {
      if (p % held != 0) continue;
      const Counts grid = weighted_dims(p, weights_of({3, 1, 2}), {0, held, 0});
      const Counts rest = best_grid(all_grids(p / held, 2), {3, 2});
      EXPECT_EQ(grid, (Counts{rest[0], held, rest[1]}));
    }
}

TEST(ByLevels, each_level_is_the_exhaustive_optimum_given_those_above) {
  std::mt19937 random(11);
  for (int sample = 0; sample < 300; ++sample) {
    Counts sizes(1 + random() % 3);
    for (Count& size : sizes) size = 1 + static_cast<Count>(random() % 36);
    Counts weights(1 + random() % 4);
    for (Count& weight : weights) weight = 1 + static_cast<Count>(random() % 12);
    const Shape shape = by_levels({sizes, weights_of(weights), {}, {}, {}});
    Counts level_weights = weights;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
      ASSERT_EQ(shape.levels[level], best_grid(all_grids(sizes[level], weights.size()), level_weights))
          << "sample " << sample;
      level_weights = times(level_weights, shape.levels[level]);
    }
  }
}

TEST(ByLevels, fixed_extents_hold_over_all_levels) {
  // Only the node level has a factor 3, only the factor 2 of it may go to the fixed dimension.
  EXPECT_EQ(by_levels({{6, 4}, Weights::equal(2), {8, 0}, {}, {}}).levels, (Levels{{2, 3}, {4, 1}}));
  std::mt19937 random(12);
  for (int sample = 0; sample < 300; ++sample) {
    const Counts sizes{1 + static_cast<Count>(random() % 24), 1 + static_cast<Count>(random() % 24),
                       1 + static_cast<Count>(random() % 8)};
    const Count p = sizes[0] * sizes[1] * sizes[2];
    const std::vector<Counts> all = all_grids(p, 3);
    Counts fixed = all[random() % all.size()];
    fixed[random() % 3] = 0;
    const Shape shape = by_levels({sizes, weights_of({2, 3, 4}), fixed, {}, {}});
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_TRUE(fixed[d] == 0 || shape.dims()[d] == fixed[d]) << "sample " << sample;
    for (std::size_t level = 0; level < 3; ++level)
      EXPECT_EQ(shape.levels[level][0] * shape.levels[level][1] * shape.levels[level][2], sizes[level]);
  }
}

TEST(ByLevels, no_part_is_thinner_than_its_halo) {
  EXPECT_EQ(by_levels(Problem::for_mesh({64}, Mesh({1000, 1000, 2}))).dims(), (Counts{8, 8, 1}));
  EXPECT_EQ(by_levels(Problem::for_mesh({8}, Mesh({4, 100}), {3, 1})).dims(), (Counts{1, 8}));
  // A halo of 0 makes cuts free, but each part keeps a point.
  EXPECT_EQ(by_levels(Problem::for_mesh({64}, Mesh({16, 100, 100}), {0, 1, 1})).dims(), (Counts{16, 2, 2}));
  EXPECT_EQ(by_levels(Problem::for_mesh({64}, Mesh({16, 100}), {0, 0})).dims(), (Counts{8, 8}));
}

TEST(ByLevels, limits_agree_with_exhaustive_search) {
  std::mt19937 random(13);
  int feasible = 0;
  for (int sample = 0; sample < 500; ++sample) {
    const Count p = 1 + static_cast<Count>(random() % 120);
    const Counts weights{3, 3, 1 + static_cast<Count>(random() % 4)};
    Problem problem{{p}, weights_of(weights), {}, {}, {}};
    for (int d = 0; d < 3; ++d) problem.limits.push_back(static_cast<Count>(random() % 12));
    std::vector<Counts> grids;
    for (const Counts& grid : all_grids(p, 3)) {
      bool within = true;
      for (std::size_t d = 0; d < 3; ++d)
        within = within && (problem.limits[d] == 0 || grid[d] <= problem.limits[d]);
      if (within) grids.push_back(grid);
    }
    if (grids.empty()) {
      EXPECT_THROW((void)by_levels(problem), Error);
      continue;
    }
    ++feasible;
    EXPECT_EQ(by_levels(problem).dims(), best_grid(grids, weights)) << "sample " << sample;
  }
  EXPECT_GT(feasible, 250);
}

TEST(ByLevels, takes_the_next_best_where_the_best_leaves_no_room_below) {
  // Two nodes would rather cut the long dimension, but then 18 do not fit into 4 x 4 points.
  EXPECT_EQ(by_levels(Problem::for_mesh({2, 18}, Mesh({4, 9}))).levels, (Levels{{2, 1}, {2, 9}}));
}

TEST(ByLevels, a_periodic_dimension_costs_nothing_until_it_is_cut) {
  // Three cuts across the periodic dimension cost 30, two across the open one 24.
  EXPECT_EQ(by_levels({{3}, weights_of({10, 12}), {}, {}, periodic(1, 0)}).dims(), (Counts{1, 3}));
  EXPECT_EQ(by_levels({{3}, weights_of({10, 12}), {}, {}, periodic(0, 0)}).dims(), (Counts{3, 1}));
  std::mt19937 random(14);
  for (int sample = 0; sample < 400; ++sample) {
    const Count p = 1 + static_cast<Count>(random() % 200);
    Counts weights(1 + random() % 3);
    for (Count& weight : weights) weight = 1 + static_cast<Count>(random() % 20);
    Periodicity flags;
    for (std::size_t d = 0; d < weights.size(); ++d) flags.push_back(random() % 2 == 0);
    const auto volume = [&](const Counts& grid) {
      Count sum = 0;
      for (std::size_t d = 0; d < grid.size(); ++d)
        sum += weights[d] * (flags[d] ? (grid[d] > 1 ? grid[d] : 0) : grid[d] - 1);
      return sum;
    };
    Count least = volume(Counts(weights.size(), p));
    for (const Counts& grid : all_grids(p, weights.size())) least = std::min(least, volume(grid));
    EXPECT_EQ(volume(by_levels({{p}, weights_of(weights), {}, {}, flags}).dims()), least) << sample;
  }
}

TEST(LevelCosts, are_the_sums_of_the_paper) {
  const Problem problem = Problem::for_mesh({24, 32}, Mesh({3000, 2000}));
  const std::vector<double> costs = level_costs(problem, by_levels(problem));
  EXPECT_DOUBLE_EQ(costs[0], 6.0 / 3000 + 4.0 / 2000);
  EXPECT_DOUBLE_EQ(costs[1], 48.0 / 3000 + 16.0 / 2000);
  EXPECT_EQ(level_costs({{1, 2}, Weights::equal(2), {}, {}, periodic(1, 1)}, {{{1, 1}, {2, 1}}}),
            (std::vector<double>{0, 2}));
}

}  // namespace
}  // namespace halocline::shape
