#include "base/rational.hpp"

#include "expect_error.hpp"

#include <limits>

namespace halocline {
namespace {

constexpr Count largest_integer = std::numeric_limits<Count>::max();

TEST(Rational, is_kept_in_lowest_terms) {
  EXPECT_EQ(Rational(6, 4), Rational(3, 2));
  EXPECT_EQ(Rational(3, -6), Rational(-1, 2));
  EXPECT_EQ(Rational(0, -5).denominator(), 1);
  EXPECT_EQ(Rational(6, 4).to_text(), "3/2");
  EXPECT_EQ(Rational(8, 4).to_text(), "2");
  EXPECT_DOUBLE_EQ(Rational(-7, 4).value(), -1.75);
}

TEST(Rational, field_laws_on_small_fractions) {
  for (Count a = -5; a <= 5; ++a)
    for (Count b = 1; b <= 5; ++b)
      for (Count c = -5; c <= 5; ++c)
        for (Count d = 1; d <= 5; ++d) {
          const Rational x(a, b);
          const Rational y(c, d);
          EXPECT_EQ(x + y, Rational(a * d + c * b, b * d));
          EXPECT_EQ(x + y - y, x);
          EXPECT_EQ(x * y, Rational(a * c, b * d));
          if (c != 0) {
            EXPECT_EQ(x / y * y, x);
          }
          EXPECT_EQ(x < y, a * d < c * b);
          EXPECT_EQ(x == y, a * d == c * b);
        }
}

TEST(Rational, compares_where_floating_point_cannot) {
  const Rational a(largest_integer - 1, largest_integer);
  const Rational b(largest_integer - 2, largest_integer - 1);
  EXPECT_EQ(a.value(), b.value());
  EXPECT_GT(a, b);
}

TEST(Rational, refuses_what_has_no_value_or_does_not_fit) {
  expect_error(
      Fault::invalid_argument, [] { (void)Rational(1, 0); }, "1/0");
  expect_error(
      Fault::invalid_argument, [] { (void)(Rational(1, 2) / Rational(0)); }, "/0");
  expect_error(
      Fault::invalid_argument, [] { (void)(Rational(largest_integer) + Rational(1)); }, "64 bits");
  expect_error(
      Fault::invalid_argument, [] { (void)(Rational(1, largest_integer) * Rational(1, 2)); }, "64 bits");
  EXPECT_EQ(Rational(largest_integer, 2) * Rational(2, largest_integer), Rational(1));
}

}  // namespace
}  // namespace halocline
