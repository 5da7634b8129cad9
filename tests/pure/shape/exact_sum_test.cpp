#include "shape/exact_sum.hpp"

#include "base/natural.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace halocline::shape {
namespace {

__extension__ typedef unsigned __int128 UnsignedWide;  // NOLINT(modernize-use-using)

constexpr auto less = std::strong_ordering::less;
constexpr auto equal = std::strong_ordering::equal;
constexpr auto greater = std::strong_ordering::greater;

Natural natural(UnsignedWide value) {
  Natural number(static_cast<std::uint64_t>(value >> 64));
  number <<= 64;
  number += Natural(static_cast<std::uint64_t>(value));
  return number;
}

TEST(Natural, agrees_with_128_bits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const UnsignedWide a = UnsignedWide{random()} << (random() % 60);
    const UnsignedWide b = UnsignedWide{random()} << (random() % 60);
    const std::uint64_t factor = random() % 8;
    EXPECT_EQ(natural(a) < natural(b), a < b);
    Natural sum = natural(a);
    sum += natural(b);
    EXPECT_EQ(sum, natural(a + b));
    Natural product = natural(a / 8);
    product *= factor;
    EXPECT_EQ(product, natural(a / 8 * factor));
  }
}

TEST(Natural, grows_without_end_and_shrinks_to_zero) {
  Natural power(1);
  for (int i = 0; i < 100; ++i) power *= 1'000'000'007;
  EXPECT_EQ(power.bits(), 2990);
  EXPECT_NEAR(power.scaled(-2990), std::exp2(100 * std::log2(1'000'000'007.0) - 2990), 1e-9);
  Natural shifted = power;
  shifted <<= 130;
  EXPECT_EQ(shifted.bits(), 3120);
  EXPECT_GT(shifted, power);
  power *= 0;
  EXPECT_EQ(power, Natural());
  EXPECT_EQ(power.bits(), 0);
}

TEST(ExactSum, sees_ties_that_doubles_lose) {
  // 1/3 + 1/6 + 1/2 against 3/3, in any order.
  const ExactSum sum({{1, 3}, {1, 6}, {1, 2}});
  EXPECT_EQ(sum.compare(Counts{1, 1, 1}, Counts{3, 0, 0}), equal);
  EXPECT_EQ(sum.compare(Counts{0, 6, 0}, Counts{0, 0, 2}), equal);
  EXPECT_EQ(sum.compare(Counts{1, 1, 1}, Counts{0, 1, 2}), less);
  EXPECT_EQ(sum.compare_terms(0, 3, 2, 2), equal);
}

TEST(ExactSum, is_exact_for_denominators_without_a_common_multiple_in_64_bits) {
  const Count a = 4'000'000'007;
  const Count b = 4'000'000'009;
  const Count c = 4'000'000'019;
  const ExactSum sum({{1, a}, {1, b}, {1, c}});
  EXPECT_EQ(sum.compare(Counts{a, b, c}, Counts{3 * a, 0, 0}), equal);
  EXPECT_EQ(sum.compare(Counts{a, b, c - 1}, Counts{3 * a, 0, 0}), less);
  EXPECT_EQ(sum.compare(Counts{0, b, 1}, Counts{a, 0, 0}), greater);
  EXPECT_EQ(sum.compare_terms(2, 1, 0, 1), less);
}

TEST(ExactSum, is_exact_across_the_whole_range_of_doubles) {
  const ExactSum sum({Weight::of(1e300), Weight::of(1e-300), Weight::of(5e-324)});
  EXPECT_EQ(sum.compare(Counts{1, 1, 2}, Counts{1, 1, 1}), greater);
  EXPECT_EQ(sum.compare(Counts{1, 1, 1'000'000'000}, Counts{1, 2, 1}), less);
  EXPECT_NEAR(sum.estimate(0), 0.75, 0.25);
  EXPECT_EQ(sum.estimate(2), 0);
}

TEST(ExactSum, multiplies_weights_and_ratios) {
  const ExactSum sum({{1, 3}, {1, 2}}, {Weight::of(7), Weight::of(0.5)});
  ASSERT_EQ(sum.size(), 4U);
  EXPECT_EQ(sum.compare(Counts{3, 0, 0, 0}, Counts{0, 0, 0, 28}), equal);
  EXPECT_EQ(sum.compare(Counts{3, 0, 0, 0}, Counts{0, 0, 1, 28}), less);
}

}  // namespace
}  // namespace halocline::shape
