// Exact fractions of 64-bit integers: costs that are compared for equality must not be rounded.
#pragma once

#include "halocline/base/count.hpp"

#include <compare>
#include <string>

namespace halocline {

/// A fraction in lowest terms with a positive denominator. Arithmetic throws Error{invalid_argument} when a
/// result leaves 64 bits; comparison is always exact.
class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(Count whole) : numerator_(whole) {}  // NOLINT(google-explicit-constructor)
  /// Throws Error{invalid_argument} if `denominator` is 0.
  Rational(Count numerator, Count denominator);

  [[nodiscard]] constexpr Count numerator() const { return numerator_; }
  [[nodiscard]] constexpr Count denominator() const { return denominator_; }
  [[nodiscard]] double value() const;
  [[nodiscard]] std::string to_text() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  bool operator==(const Rational&) const = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  Count numerator_ = 0;
  Count denominator_ = 1;
};

}  // namespace halocline
