// SPDX-License-Identifier: BSD-3-Clause
// The cells of one node seen as one task: where it is, and what it sends to the others.
#pragma once

#include "halocline/place/placement.hpp"
#include "network/points/points.hpp"
#include "network/routing/task_messages.hpp"
#include "place/problem/problem.hpp"

#include <vector>

namespace halocline::plan {

struct NodeGroups {
  Points centres;  ///< The centre of mass of each node's cells.
  TaskMessages
      messages;  ///< Between different nodes; the weights of all messages from one to another in sum.
};

/// O(p k) time and memory for the node of each cell. Throws Error{invalid_argument} if the weights of all
/// messages together leave 64 bits, Error{unsupported} for 2^31 nodes or more.
[[nodiscard]] NodeGroups node_groups(const place::Problem& problem, const Placement& placement);

/// For each node a number that is the same for nodes that are alike: as many ranks, in the same groups
/// inside. Numbers are 0, 1, ... in the order in which they first appear. O(groups).
[[nodiscard]] Counts node_kinds(const Machine& machine);

}  // namespace halocline::plan
