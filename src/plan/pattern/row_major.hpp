// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are numbered row by row, as MPI_Cart_create leaves them.
#pragma once

#include "plan/pattern/evidence.hpp"

#include <vector>

namespace halocline::plan {

/// The coordinates of ranks that are the cells of the grid, row by row.
[[nodiscard]] Reading row_major_reading(const Counts& extents);

/// Grids of at most 4 dimensions in which a sample of the pairs are few steps apart, those first in which
/// they are the fewest different offsets; at most 12 of them.
[[nodiscard]] std::vector<Counts> row_major_grids(const MessageMatrix& matrix);

}  // namespace halocline::plan
