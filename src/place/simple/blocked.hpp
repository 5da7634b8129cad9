// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// Ranks row by row, as MPI_Cart_create without reordering. O(d) a look-up.
[[nodiscard]] Placement blocked(const Problem& problem);

}  // namespace halocline::place
