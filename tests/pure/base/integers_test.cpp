#include "base/integers.hpp"

#include "expect_error.hpp"

#include <limits>

namespace halocline {
namespace {

constexpr Count largest = std::numeric_limits<Count>::max();
constexpr Count least = std::numeric_limits<Count>::min();

TEST(Integers, exact_up_to_the_border) {
  EXPECT_EQ(checked_add(largest - 1, 1), largest);
  EXPECT_EQ(checked_subtract(least + 1, 1), least);
  EXPECT_EQ(checked_multiply(Count{3037000499}, Count{3037000499}), 9223372030926249001);
  EXPECT_EQ(checked_product(Counts{}), 1);
  EXPECT_EQ(checked_sum(Counts{}), 0);
  EXPECT_EQ(checked_product(Counts{1000, 1100, 950}), 1045000000);
  EXPECT_EQ(checked_sum(Counts{largest, -1, 1}), largest);
}

TEST(Integers, past_the_border_is_an_error_that_names_the_numbers) {
  expect_error(
      Fault::invalid_argument, [] { (void)checked_add(largest, 1); }, "9223372036854775807 + 1");
  expect_error(
      Fault::invalid_argument, [] { (void)checked_subtract(least, 1); }, "- 1");
  expect_error(
      Fault::invalid_argument, [] { (void)checked_multiply(largest, 2); }, "* 2");
  expect_error(
      Fault::invalid_argument,
      [] {
        (void)checked_product(Counts{4294967296, 2147483648});
      },
      "4294967296 * 2147483648", "64 bits");
  expect_error(
      Fault::invalid_argument,
      [] {
        (void)checked_sum(Counts{largest, 7});
      },
      " + 7");
}

TEST(Integers, division_rounds_as_named) {
  for (Count a = 0; a <= 40; ++a)
    for (Count b = 1; b <= 12; ++b) {
      const Count up = divide_up(a, b);
      EXPECT_TRUE(up * b >= a && (up - 1) * b < a) << a << "/" << b;
      for (const Count signed_a : {a, -a}) {
        const Count remainder = floor_modulo(signed_a, b);
        EXPECT_TRUE(0 <= remainder && remainder < b && (signed_a - remainder) % b == 0);
      }
    }
}

}  // namespace
}  // namespace halocline
