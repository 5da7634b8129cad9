// SPDX-License-Identifier: BSD-3-Clause
// How long the messages of a traced program keep processes and networks busy, by the linear model.
#pragma once

#include "halocline/describe/machine.hpp"
#include "halocline/plan/plan.hpp"
#include "halocline/schedule/level_costs.hpp"
#include "place/order.hpp"
#include "plan/pattern/message_matrix.hpp"

namespace halocline::plan {

/// Of the node that takes longest, which its slowest process and its way out make together. Nothing is under
/// way and nothing is waited for: a trace does not say what waits for what.
struct OrderTime {
  Seconds seconds;
  Count node = 0;  ///< The first of them.
};

/// Of all messages, with the ranks in that order. O(pairs), times the levels that have prices.
/// @pre the order is one of the ranks of the matrix on the machine
[[nodiscard]] OrderTime order_time(const MessageMatrix& matrix, const Machine& machine,
                                   const place::Order& order, const LevelCosts& costs);

}  // namespace halocline::plan
