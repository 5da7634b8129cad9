#include "base/rational.hpp"

#include "base/integers.hpp"
#include "base/wide.hpp"
#include "halocline/base/error.hpp"

#include <limits>
#include <numeric>

namespace halocline {
namespace {

Wide greatest_common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide remainder = a % b;
    a = b;
    b = remainder;
  }
  return a;
}

Rational reduced(Wide numerator, Wide denominator) {
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  numerator /= divisor;
  denominator /= divisor;
  constexpr Wide largest = std::numeric_limits<Count>::max();
  require(-largest <= numerator && numerator <= largest && denominator <= largest,
          "an exact fraction does not fit in 64 bits");
  return {static_cast<Count>(numerator), static_cast<Count>(denominator)};
}

}  // namespace

Rational::Rational(Count numerator, Count denominator) {
  require(denominator != 0, "the fraction ", numerator, "/0 has no value");
  constexpr Count least = std::numeric_limits<Count>::min();
  require(numerator != least && denominator != least, "an exact fraction does not fit in 64 bits");
  const Count divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  numerator_ = numerator / divisor;
  denominator_ = denominator / divisor;
}

double Rational::value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

std::string Rational::to_text() const {
  return denominator_ == 1 ? std::to_string(numerator_) : concat(numerator_, "/", denominator_);
}

Rational operator+(const Rational& a, const Rational& b) {
  // Over the least common denominator the numerator stays below 2^127.
  const Count shared = std::gcd(a.denominator_, b.denominator_);
  const Count a_scale = b.denominator_ / shared;
  const Count b_scale = a.denominator_ / shared;
  return reduced(Wide{a.numerator_} * a_scale + Wide{b.numerator_} * b_scale, Wide{a.denominator_} * a_scale);
}

Rational operator-(const Rational& a, const Rational& b) {
  return a + Rational(-b.numerator_, b.denominator_);
}

Rational operator*(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
}

Rational operator/(const Rational& a, const Rational& b) {
  return a * Rational(b.denominator_, b.numerator_);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  return Wide{a.numerator_} * b.denominator_ <=> Wide{b.numerator_} * a.denominator_;
}

}  // namespace halocline
