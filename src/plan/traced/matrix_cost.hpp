// SPDX-License-Identifier: BSD-3-Clause
// What an order of the ranks costs, by the messages that were recorded: all of them, whatever a grid
// explains.
#pragma once

#include "halocline/describe/allocation.hpp"
#include "halocline/describe/machine.hpp"
#include "network/mapping_problem.hpp"
#include "plan/pattern/message_matrix.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halocline::plan {

/// Bytes between the groups of one level of the machine.
struct MatrixLevelCost {
  std::string name;  ///< "node", "package", ...
  Count bytes = 0;   ///< Between different groups.
  Count busiest_in = 0;
  Count busiest_out =
      0;  ///< The most that one group gets, and the most that one sends; not always the same group.
  bool operator==(const MatrixLevelCost&) const = default;
};

struct MatrixCost {
  std::vector<MatrixLevelCost> levels;  ///< As in the machine, outermost first.
  std::size_t node_level = 0;
  std::optional<network::Score> on_network = std::nullopt;  ///< Where the nodes are known.

  [[nodiscard]] const MatrixLevelCost& node() const { return levels[node_level]; }
};

/// `position_of` has for each rank its place in the node-sorted order. O(levels * pairs).
[[nodiscard]] MatrixCost matrix_cost(const MessageMatrix& matrix, const Machine& machine,
                                     std::span<const Rank> position_of);

/// The same for nodes alone, which need not hold consecutive ranks. Nodes are numbers from 0 on.
[[nodiscard]] MatrixLevelCost cost_of_nodes(const MessageMatrix& matrix, std::span<const Count> node_of);

/// What the messages between nodes are worth on a network. `node_of` has for each rank a node of the
/// allocation.
[[nodiscard]] network::Score score_on(const MessageMatrix& matrix, const Allocation& allocation,
                                      std::span<const Count> node_of, network::Aim aim);

/// Is `a` to be preferred, by the exact numbers? On a network that of the fullest link comes first, where
/// that is the aim; then the rule by which placements are preferred over each other
/// (place/cost/preference.hpp), the levels inside nodes, and hops.
[[nodiscard]] bool is_better(const MatrixCost& a, const MatrixCost& b);

}  // namespace halocline::plan
