// SPDX-License-Identifier: BSD-3-Clause
// Which rank shall be where, for a program that is not changed, by the messages it sent before: the one place
// that decides it.
#pragma once

#include "halocline/plan/plan.hpp"
#include "place/best.hpp"
#include "place/order.hpp"
#include "plan/pattern/grid_pattern.hpp"
#include "plan/traced/matrix_cost.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace halocline::plan {

/// An order and where it comes from.
struct RatedOrder {
  std::string by;  ///< "default", a name of place::algorithms(), or "graph" for the mapper of any graph.
  place::Order order;
  MatrixCost cost;  ///< By all messages.
};

struct OrderProblem {
  const MessageMatrix& matrix;
  Machine machine;
  std::optional<Allocation> allocation =
      std::nullopt;  ///< Where the nodes are on a network, if that is known.
  NetworkOptions network = {};
  place::BestOptions best = {};
};

struct OrderChoice {
  std::optional<GridPattern> pattern;  ///< If the messages are those of a grid.
  RatedOrder before;                   ///< The ranks as launchers start them, node after node.
  RatedOrder after;                    ///< The best, or the same if nothing is better.

  [[nodiscard]] bool gains() const { return after.by != before.by; }
};

/// The best of: the ranks in their order; for a grid, the placement that choose_placement() makes of it,
/// fitted to the network if there is one; what the mapper of graphs makes of the messages. All are compared
/// by the messages as they are, and of equals the ranks stay as they are. Throws Error{invalid_argument} if
/// the machine has not as many ranks as the matrix, or the allocation not as many nodes as the machine.
[[nodiscard]] OrderChoice choose_order(const OrderProblem& problem);

/// For each rank the number of its node. @pre as many ranks as places
[[nodiscard]] std::vector<Count> nodes_of_ranks(const place::Order& order);

}  // namespace halocline::plan
