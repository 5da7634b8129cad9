// SPDX-License-Identifier: BSD-3-Clause
// What a placement costs: the messages that leave a node, and any other group of the machine.
#pragma once

#include "halocline/describe/traffic.hpp"
#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

#include <string>
#include <vector>

namespace halocline::place {

using halocline::Traffic;

/// Directed messages along the stencil between different groups of one level of the machine. Those beyond an
/// open border do not exist; those that wrap around to their own sender stay inside every group.
struct LevelCost {
  std::string name;               ///< "node", "package", ...
  Traffic total;                  ///< Everything that leaves a group.
  Traffic largest;                ///< The most that leaves one group, messages and bytes each on its own.
  std::vector<Traffic> by_group;  ///< What leaves each group; empty where every group is a single rank.
  bool operator==(const LevelCost&) const = default;
};

/// The exact cost of a placement, or of a part of its cells.
struct Cost {
  std::vector<LevelCost> levels;  ///< As in the machine, outermost first.
  std::size_t node_level = 0;

  [[nodiscard]] const LevelCost& node() const { return levels[node_level]; }
  /// The cost of the literature: weights of the messages that leave a node, in sum and for the worst node.
  [[nodiscard]] Count j_sum() const { return node().total.bytes; }
  [[nodiscard]] Count j_max() const { return node().largest.bytes; }

  /// Adds the cost of other cells of the same problem and placement. Throws Error{invalid_argument} if the
  /// levels differ.
  void merge(const Cost& other);
  bool operator==(const Cost&) const = default;
};

/// The exact cost, in O(p k) time and memory for the groups and a few layers of the grid.
/// Throws Error{invalid_argument} if a sum leaves 64 bits or the placement is one of another grid.
[[nodiscard]] Cost cost(const Problem& problem, const Placement& placement);

/// What the cells number first to last - 1, row by row, contribute as senders. Parts that cover the grid add
/// up (merge) to the whole, so that processes can share the work.
[[nodiscard]] Cost cost(const Problem& problem, const Placement& placement, Count first, Count last);

/// The cost for the level of the nodes alone, which is all that algorithms compare.
[[nodiscard]] LevelCost node_cost(const Problem& problem, const Placement& placement);

}  // namespace halocline::place
