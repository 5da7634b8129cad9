// SPDX-License-Identifier: BSD-3-Clause
// A placement of which nothing is known but who sits where.
#pragma once

#include "halocline/place/placement.hpp"

#include <vector>

namespace halocline::plan {

/// `owners` has the rank of each cell of the grid, row by row. @pre each rank of the grid is there once
[[nodiscard]] Placement seat_table(const Grid& grid, std::vector<Rank> owners);

}  // namespace halocline::plan
