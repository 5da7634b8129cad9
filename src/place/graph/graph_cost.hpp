// SPDX-License-Identifier: BSD-3-Clause
// What a mapping of a graph costs, level by level of the machine.
#pragma once

#include "base/wide.hpp"
#include "halocline/describe/machine.hpp"
#include "place/graph/message_graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::place {

/// Bytes between different groups of one level of the machine.
struct GraphLevelCost {
  std::string name;    ///< "node", "package", ...
  Count crossing = 0;  ///< Between all groups.
  Count busiest = 0;   ///< In and out of the group that has most of it.
  bool operator==(const GraphLevelCost&) const = default;
};

struct GraphCost {
  std::vector<GraphLevelCost> levels;  ///< As in the machine, outermost first.
  std::size_t node_level = 0;

  [[nodiscard]] const GraphLevelCost& node() const { return levels[node_level]; }
  bool operator==(const GraphCost&) const = default;
};

/// What a byte costs that leaves a group, for each level of a machine, outermost first. A byte that leaves
/// several groups costs what all of them take.
using LevelWeights = Counts;

/// A thousand for a node and for each level around it, a thirtieth of that inside nodes, and less by as much
/// with each further level.
[[nodiscard]] LevelWeights usual_weights(const Machine& machine);

/// `seats` has a position of the node-sorted order for each rank. O(levels * (ranks + pairs)).
/// Throws Error{invalid_argument} if there are not as many seats as ranks or seats of the machine, or a
/// position comes twice.
[[nodiscard]] GraphCost cost_of(const MessageGraph& graph, const Machine& machine,
                                std::span<const Rank> seats);

/// The sum over all levels. Throws Error{invalid_argument} if there is not one price a level.
[[nodiscard]] Wide priced(const GraphCost& cost, const LevelWeights& prices);

}  // namespace halocline::place
