// SPDX-License-Identifier: BSD-3-Clause
// Natural numbers of any size, with just what an exact comparison of sums needs.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace halocline {

/// A number >= 0 without an upper end.
class Natural {
 public:
  Natural() = default;
  explicit Natural(std::uint64_t value);

  Natural& operator+=(const Natural& other);
  Natural& operator*=(std::uint64_t factor);
  Natural& operator<<=(unsigned bits);

  /// The number of binary digits; 0 for 0.
  [[nodiscard]] int bits() const;
  /// The number itself. @pre bits() <= 64
  [[nodiscard]] std::uint64_t narrow() const { return limbs_.empty() ? 0 : limbs_.front(); }
  /// The number times 2^exponent, to a relative error below 2^-52; 0 where a double would underflow.
  [[nodiscard]] double scaled(int exponent) const;

  bool operator==(const Natural&) const = default;
  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);

 private:
  std::vector<std::uint64_t> limbs_;  ///< Base 2^64, the lowest first, the highest not 0.
};

}  // namespace halocline
