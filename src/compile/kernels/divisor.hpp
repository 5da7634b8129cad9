// SPDX-License-Identifier: BSD-3-Clause
// Division by a number that stays the same, when it leaves no remainder: a multiplication (Granlund and
// Montgomery, Division by Invariant Integers using Multiplication, 1994, section 9).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace halocline::compile {

/// A positive number that others, none of them negative, are divided by: 2^shift times an odd one.
class Divisor {
 public:
  explicit constexpr Divisor(std::int32_t value)
      : value_(static_cast<std::uint32_t>(value)),
        shift_(std::countr_zero(value_)),
        inverse_(inverse_of(value_ >> shift_)),
        most_(std::numeric_limits<std::uint32_t>::max() / (value_ >> shift_)) {}

  [[nodiscard]] constexpr std::int32_t value() const { return static_cast<std::int32_t>(value_); }

  [[nodiscard]] constexpr bool divides(std::int32_t number) const { return divides_all({&number, 1}); }

  /// Without a branch for each: a few instructions for four numbers.
  [[nodiscard]] constexpr bool divides_all(std::span<const std::int32_t> numbers) const {
    std::uint32_t any = 0;
    std::uint32_t largest = 0;
    for (const std::int32_t number : numbers) {
      any |= static_cast<std::uint32_t>(number);
      largest = std::max(largest, static_cast<std::uint32_t>(number) * inverse_);
    }
    return (any & ((std::uint32_t{1} << shift_) - 1)) == 0 && largest <= most_;
  }

  /// @pre divides(number)
  [[nodiscard]] constexpr std::int32_t quotient(std::int32_t number) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) * inverse_ >> shift_);
  }

 private:
  /// Modulo 2^32; each step doubles the number of bits that are right, of which there are three at first.
  static constexpr std::uint32_t inverse_of(std::uint32_t odd) {
    std::uint32_t inverse = odd;
    for (int bits = 3; bits < 32; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }

  std::uint32_t value_;
  int shift_;
  std::uint32_t inverse_;  ///< Of the odd factor, modulo 2^32.
  std::uint32_t most_;     ///< The largest quotient by the odd factor.
};

}  // namespace halocline::compile
