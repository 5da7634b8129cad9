// What the numbers in the computation of costs are known to be below.
#pragma once

#include "base/integers.hpp"
#include "halocline/place/problem.hpp"

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

/// Do ranks, and sums over the messages of one cell, fit in 31 bits? @pre check_total
[[nodiscard]] inline bool fits_32_bits(const Problem& problem) {
  constexpr Count limit = Count{1} << 31;
  return problem.grid().size() < limit && weight_of_cell(problem) < limit;
}

}  // namespace halocline::place
