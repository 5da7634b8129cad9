#include "plan/placement/shape_choice.hpp"

#include "expect_error.hpp"
#include "shape/choose.hpp"

#include <gtest/gtest.h>

#include <array>

namespace halocline::plan {
namespace {

shape::Problem problem_of(Counts levels, std::vector<double> weights) {
  return {std::move(levels), Weights(std::move(weights)), {}, {}, {}};
}

TEST(ShapeChoice, a_grid_of_even_levels_is_that_of_the_shape_stage) {
  const std::array problems{problem_of({12}, {1, 1}), problem_of({4, 6}, {1, 2, 3}),
                            problem_of({3, 2, 5}, {1.0 / 3, 1.0 / 2})};
  for (const shape::Problem& problem : problems) {
    EXPECT_EQ(choose_shape(problem).shape, shape::by_levels(problem));
    const ShapeChoice jointly = choose_shape(problem, ShapeOptions{true});
    const shape::JointShape expected = shape::joint(problem);
    EXPECT_EQ(jointly.shape, expected.shape);
    EXPECT_EQ(jointly.proven, expected.proven);
    EXPECT_EQ(costs_of_shape(problem, jointly.shape), shape::level_costs(problem, expected.shape));
  }
}

TEST(ShapeChoice, ratios_count_for_all_levels_at_once) {
  const shape::Problem problem = problem_of({4, 4}, {1.0 / 3, 1.0 / 2});
  const std::vector<double> ratios{7, 1};
  EXPECT_EQ(choose_shape(problem, {true, ratios}).shape, shape::joint(problem, ratios).shape);
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)choose_shape(problem, {true, {7}});
      },
      "1");
}

TEST(ShapeChoice, nodes_of_any_sizes_get_the_best_grid_for_them) {
  const Runs sizes({7, 7, 2});
  const shape::Problem problem = problem_of({16}, {1, 1});
  EXPECT_EQ(choose_shape(problem, sizes), shape::for_nodes(problem, sizes).front());
}

TEST(ShapeChoice, fixed_extents_stay_where_nothing_else_is_known) {
  EXPECT_EQ(choose_dims(12, Weights::equal(2)), (Counts{4, 3}));
  EXPECT_EQ(choose_dims(12, Weights::equal(2), {0, 6}), (Counts{2, 6}));
}

TEST(ShapeChoice, a_mesh_can_be_too_small_for_its_processes) {
  EXPECT_TRUE(has_shape(shape::Problem::for_mesh({4}, Mesh({2, 2}))));
  EXPECT_FALSE(has_shape(shape::Problem::for_mesh({8}, Mesh({2, 2}))));
}

}  // namespace
}  // namespace halocline::plan
