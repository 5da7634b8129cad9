// SPDX-License-Identifier: BSD-3-Clause
// Ranks change seats within their nodes, so that they are near to GPUs and NICs; and what that is worth.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "place/order.hpp"
#include "plan/pattern/message_matrix.hpp"
#include "plan/seats/seats_of_node.hpp"

#include <map>
#include <string>
#include <vector>

namespace halocline::plan {

struct SeatProblem {
  const MessageMatrix& matrix;
  const NodeDevices& node;  ///< All nodes are alike.
  Count cores_per_rank;
  NearWhat near;
};

/// The seats of nodes of each size that there is; on each in the order of places.
using SeatsBySize = std::map<Count, std::vector<Seat>>;

/// One line of a comparison.
struct SeatFigure {
  std::string what;  ///< For people.
  std::string key;   ///< For programs.
  Count before;      ///< With the ranks in their order on the first cores of their nodes.
  Count after;
  bool operator==(const SeatFigure&) const = default;
};

struct SeatedOrder {
  place::Order order;  ///< Place i of a node is its seat i.
  SeatsBySize seats;
  std::vector<SeatFigure> figures;  ///< Bytes between the parts of each level, the nodes first; then devices.
};

/// The nodes keep their ranks, which change places by seats_in_node(). Throws Error{invalid_argument} as
/// seats_of_node().
[[nodiscard]] SeatedOrder seated(const SeatProblem& problem, const place::Order& order);

/// What a grid's cells send to each other, if cell and rank have the same number: the weight of each offset.
[[nodiscard]] MessageMatrix messages_on_grid(const Grid& grid, const Stencil& stencil);

}  // namespace halocline::plan
