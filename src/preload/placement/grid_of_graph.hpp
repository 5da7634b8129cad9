// SPDX-License-Identifier: BSD-3-Clause
// Is a graph that of a stencil on a Cartesian grid? Then placement can do more with it than a partitioner of
// graphs can. No MPI here.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"
#include "preload/placement/task_graph.hpp"

#include <optional>

namespace halocline::preload {

struct GridOfGraph {
  Grid grid;  ///< Its cells, row by row, are the vertices.
  /// The same for all vertices; the weight of an offset is the mean of those of its edges, 1 at least.
  Stencil stencil;
};

/// The grid of fewest dimensions, none of size 1, each open or periodic, along which every vertex sends to
/// the same offsets, as far as they lie in the grid: exactly these edges, as often as they are there. Nothing
/// if there is none of at most 6 dimensions, a vertex has more than 1024 targets, or more than 50,000 grids
/// would have to be tried. O(vertices * offsets) for the grid that is found, a few vertices for most others.
[[nodiscard]] std::optional<GridOfGraph> grid_of(const TaskGraph& graph);

}  // namespace halocline::preload
