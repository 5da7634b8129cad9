// SPDX-License-Identifier: BSD-3-Clause
// The cells of a grid by node, in a resolution that can be looked at.
#pragma once

#include "halocline/describe/machine.hpp"
#include "halocline/place/placement.hpp"

#include <cstdint>
#include <vector>

namespace halocline::tools {

struct CellsShown {
  Counts extents;  ///< Blocks along each dimension.
  Counts block;    ///< Cells of a block along each dimension; fewer at the end of a dimension.
  std::vector<std::uint32_t> nodes;  ///< Of each block, row by row: the node that owns most of it.
};

/// Every cell by itself if there are at most `most`; otherwise blocks, at most that many. Of nodes that own
/// equally much of a block, the first. O(p) time, memory for the cells of a block in a row of blocks.
[[nodiscard]] CellsShown cells_shown(const Placement& placement, const Machine& machine, Count most);

}  // namespace halocline::tools
