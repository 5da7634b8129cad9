// SPDX-License-Identifier: BSD-3-Clause
// An estimate of the halo between nodes of any sizes, laid along strips of a process grid.
#pragma once

#include "shape/problem.hpp"

namespace halocline::shape {

/// Nodes as far as the estimate needs them.
struct NodeSummary {
  Count nodes;
  Counts sizes;          ///< The different sizes ...
  Counts nodes_of_size;  ///< ... and how many nodes have each.
};

/// The cost of the cuts across dimension d of a grid: one less than there are parts if the dimension is open.
[[nodiscard]] double cuts(bool periodic, double parts);

/// The least cost, over ways to cut the grid into strips, of the borders between the nodes laid along them.
/// `weights` is the cost of a cut right through the grid, for each dimension. Takes microseconds.
[[nodiscard]] double strip_cost(const Counts& grid, const std::vector<double>& weights,
                                const Periodicity& periodic, const NodeSummary& nodes);

}  // namespace halocline::shape
