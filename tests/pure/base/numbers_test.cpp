// Numbers of one type as numbers of another.

#include "base/numbers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace halocline {
namespace {

TEST(Numbers, are_the_same) {
  static_assert(to_size(std::int64_t{41}) == 41U);
  static_assert(to_int(std::uint64_t{41}) == 41);
  static_assert(to_int(std::int64_t{-41}) == -41);
  static_assert(to_count(std::uint32_t{4294967295U}) == 4294967295);
  static_assert(to_double(-3) == -3.0);
  EXPECT_EQ(to_int(std::int64_t{std::numeric_limits<int>::max()}), std::numeric_limits<int>::max());
}

TEST(Numbers, of_elements_have_a_sign) {
  const std::vector<int> none;
  EXPECT_EQ(count_of(none) - 1, -1);
  EXPECT_EQ(count_of(std::array{1, 2, 3}), 3);
}

TEST(Numbers, divide_to_real_ones) {
  EXPECT_EQ(ratio_of(1, std::size_t{4}), 0.25);
  EXPECT_EQ(ratio_of(Count{-3}, 2), -1.5);
}

#ifndef NDEBUG
TEST(NumbersDeathTest, fit) {
  EXPECT_DEATH((void)to_size(-1), "in_range");
  EXPECT_DEATH((void)to_int(std::int64_t{1} << 31), "in_range");
  EXPECT_DEATH((void)to_count(std::numeric_limits<std::uint64_t>::max()), "in_range");
}
#endif

}  // namespace
}  // namespace halocline
