// SPDX-License-Identifier: BSD-3-Clause
// From a tree to a schedule of the operation allgather: one block is forwarded along all branches.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstdint>
#include <vector>

namespace halocline::schedule {

/// How the block of a process spreads. Node 0 is the process itself; every other node is a process that gets
/// the block from its parent in the given round, which is later than the one in which the parent got it.
struct Tree {
  struct Node {
    std::int32_t parent;  ///< Below its own index; -1 for node 0.
    std::int32_t round;   ///< -1 for node 0.
  };

  Counts peers;  ///< Of the rounds, one after the other.
  std::vector<Node> nodes{{-1, -1}};
  std::vector<std::int32_t> node_of;  ///< For each neighbour the node that is its target.
};

/// The schedule along the tree. The block goes into the receive slot of the first neighbour of a node, and
/// into scratch at a node that is no target. Neighbours of node 0 are local copies in the first round;
/// further neighbours of other nodes are local copies, too, in rounds of their own after all messages.
/// @pre the peers along the way to each neighbour's node sum to its offset
[[nodiscard]] Schedule along(const Stencil& stencil, const Tree& tree);

}  // namespace halocline::schedule
