// Signed numbers as indices.

#include "base/index.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace halocline {
namespace {

TEST(Index, is_the_same_number) {
  static_assert(to_index(std::int64_t{41}) == 41U);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(to_index(most), static_cast<std::size_t>(most));
  EXPECT_EQ(to_index(std::uint16_t{65535}), 65535U);
  const std::vector<int> values{5, 6, 7};
  EXPECT_EQ(values[to_index(2)], 7);
}

TEST(Index, of_an_enumerator_is_its_number) {
  enum class Fruit : std::int8_t { apple, plum };
  static_assert(to_index(Fruit::apple) == 0);
  static_assert(to_index(Fruit::plum) == 1);
}

#ifndef NDEBUG
TEST(IndexDeathTest, is_not_negative) { EXPECT_DEATH((void)to_index(-1), "in_range"); }
#endif

}  // namespace
}  // namespace halocline
