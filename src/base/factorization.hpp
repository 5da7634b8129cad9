// SPDX-License-Identifier: BSD-3-Clause
// Prime factors and divisors of 64-bit counts.
#pragma once

#include "halocline/base/count.hpp"

#include <vector>

namespace halocline {

struct PrimePower {
  Count prime;
  int exponent;
  bool operator==(const PrimePower&) const = default;
};

/// The prime powers whose product is `n`, by increasing prime; none for 1. Trial division: O(sqrt n) at
/// worst, for a prime. Throws Error{invalid_argument} unless n >= 1.
[[nodiscard]] std::vector<PrimePower> prime_powers(Count n);

/// Every divisor of `n`, increasing. Throws as prime_powers.
[[nodiscard]] Counts divisors(Count n);

}  // namespace halocline
