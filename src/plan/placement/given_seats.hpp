// SPDX-License-Identifier: BSD-3-Clause
// Processes that sit as they came, without anybody having placed them.
#pragma once

#include "halocline/describe/machine.hpp"
#include "halocline/place/placement.hpp"

#include <span>

namespace halocline::plan {

/// The machine that their nodes make up, and who has which cell.
struct GivenSeats {
  Machine machine;
  Placement placement;
};

/// `node_of` has the node of each cell of the grid, row by row. Processes of a node are numbered in that
/// order. Throws Error{invalid_argument} unless there is a node for each cell and the nodes are 0, 1, ...
/// without gaps.
[[nodiscard]] GivenSeats given_seats(const Grid& grid, std::span<const int> node_of);

}  // namespace halocline::plan
