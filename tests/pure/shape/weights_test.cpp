#include "shape/weights.hpp"

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halocline {
namespace {

TEST(Weights, keep_every_double_as_it_is) {
  for (const double value : {1.0, 0.1, 1.0 / 1100, 3e300, 5e-324, std::numeric_limits<double>::max()})
    EXPECT_EQ(Weight::of(value).value(), value);
  EXPECT_EQ(Weight::of(6), (Weight{3, 1, 1}));
  EXPECT_EQ(Weight::of(0.375), (Weight{3, 1, -3}));
}

TEST(Weights, of_a_mesh_are_halo_over_extent_in_lowest_terms) {
  const Weights weights = Weights::of_mesh(Mesh({1000, 7, 12}), {2, 1, 0});
  EXPECT_EQ(weights[0], (Weight{1, 500}));
  EXPECT_EQ(weights[1], (Weight{1, 7}));
  EXPECT_EQ(weights[2], (Weight{0, 1}));
  EXPECT_EQ(Weights::of_mesh(Mesh({8, 9})), Weights::of_mesh(Mesh({8, 9}), {1, 1}));
}

TEST(Weights, refuse_what_is_not_positive_and_finite) {
  for (const double value : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)Weights({1.0, value}), Error) << value;
    EXPECT_THROW((void)Weight::of(value), Error) << value;
  }
  EXPECT_THROW((void)Weights(std::vector<double>{}), Error);
  EXPECT_THROW((void)Weights::equal(0), Error);
  EXPECT_THROW((void)Weights::of_mesh(Mesh({4, 4}), {1}), Error);
  EXPECT_THROW((void)Weights::of_mesh(Mesh({4, 4}), {1, -1}), Error);
}

}  // namespace
}  // namespace halocline
