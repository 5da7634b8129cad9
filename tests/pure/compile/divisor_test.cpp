#include "compile/kernels/divisor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace halocline::compile {
namespace {

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

TEST(Divisor, divides_what_leaves_no_remainder) {
  std::vector<std::int32_t> numbers;
  for (std::int32_t n = 0; n < 700; ++n) numbers.insert(numbers.end(), {n, largest - n, largest / 2 - n});
  for (std::int32_t value = 1; value < 300; ++value)
    for (const std::int32_t by : {value, largest - value, (largest >> 1) + value, 1 << (value % 31)}) {
      const Divisor divisor(by);
      EXPECT_EQ(divisor.value(), by);
      for (const std::int32_t number : numbers) {
        ASSERT_EQ(divisor.divides(number), number % by == 0) << number << " by " << by;
        if (number % by == 0) {
          ASSERT_EQ(divisor.quotient(number), number / by) << number << " by " << by;
        }
      }
    }
}

TEST(Divisor, one_that_it_does_not_divide_is_enough) {
  const Divisor twelve(12);
  std::vector<std::int32_t> numbers(37, 24);
  EXPECT_TRUE(twelve.divides_all(numbers));
  EXPECT_TRUE(twelve.divides_all({}));
  for (std::int32_t& number : numbers)
    for (const std::int32_t other : {6, 18, 16, 25}) {
      number = other;
      EXPECT_FALSE(twelve.divides_all(numbers)) << other;
      number = 24;
    }
}

}  // namespace
}  // namespace halocline::compile
