// SPDX-License-Identifier: BSD-3-Clause
// Exact 64-bit integer arithmetic: what does not fit is an error, never a wrong number.
#pragma once

#include "halocline/base/count.hpp"

#include <span>

namespace halocline {

/// The sum, difference and product of two counts. Throw Error{invalid_argument} if the result leaves 64 bits.
[[nodiscard]] Count checked_add(Count a, Count b);
[[nodiscard]] Count checked_subtract(Count a, Count b);
[[nodiscard]] Count checked_multiply(Count a, Count b);

/// The product and the sum of all factors; 1 and 0 for none. Throw as above, naming every factor.
[[nodiscard]] Count checked_product(std::span<const Count> factors);
[[nodiscard]] Count checked_sum(std::span<const Count> terms);

/// The least q with q * b >= a. @pre a >= 0, b > 0
[[nodiscard]] constexpr Count divide_up(Count a, Count b) { return a / b + (a % b != 0); }

/// The remainder in [0, b). @pre b > 0
[[nodiscard]] constexpr Count floor_modulo(Count a, Count b) {
  const Count remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
}

}  // namespace halocline
