// SPDX-License-Identifier: BSD-3-Clause
// Nodes that look alike: most of the nodes of a large grid see what others see, somewhere else.
#pragma once

#include "plan/messages/node_cells.hpp"

namespace halocline::plan {

/// Nodes of one kind send alike: moved onto each other they have the same cells, all that is in view of these
/// is missing or on the same nodes, up to the numbers of nodes, and their shares of the mesh are equal.
struct NodeKind {
  Count example;
  Count nodes;
};

/// All nodes by kind. O(cells in view of each node), which are few where nodes are compact; those whose cells
/// lie far apart are kinds of their own, and so are more than can be remembered in 32 MiB.
[[nodiscard]] std::vector<NodeKind> alike_nodes(const NodeCells& cells, const View& view);

}  // namespace halocline::plan
