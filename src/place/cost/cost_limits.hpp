// SPDX-License-Identifier: BSD-3-Clause
// What the numbers in the computation of costs are known to be below.
#pragma once

#include "base/integers.hpp"
#include "place/problem/problem.hpp"

#include <algorithm>
#include <cstdint>

namespace halocline::place {

/// The weight of all messages of one cell.
[[nodiscard]] inline Count weight_of_cell(const Problem& problem) {
  return checked_sum(problem.stencil().weights());
}

/// Throws Error{invalid_argument} unless all messages of the grid together have a weight that fits in 64
/// bits; then no partial sum overflows.
inline void check_total(const Problem& problem) {
  (void)checked_multiply(weight_of_cell(problem), problem.grid().size());
}

/// Calls use(Word{}) with the narrowest word in which ranks, and sums over the messages of one cell, fit:
/// more of them go into a vector. @pre check_total
template <class Use>
auto with_narrowest_word(const Problem& problem, const Use& use) {
  constexpr Count limit_16_bits = Count{1} << 16, limit_32_bits = Count{1} << 31;
  const Count largest = std::max(problem.grid().size(), weight_of_cell(problem));
  if (largest < limit_16_bits) return use(std::uint16_t{});
  if (largest < limit_32_bits) return use(std::uint32_t{});
  return use(Count{});
}

}  // namespace halocline::place
