// SPDX-License-Identifier: BSD-3-Clause
// How long the messages of a trace keep the machine busy, in the order there was and in the suggested one.
#pragma once

#include "plan/traced/order_choice.hpp"
#include "tools/common/command.hpp"

namespace halocline::tools {

struct TimedOrders {
  const plan::MessageMatrix& matrix;
  const plan::OrderChoice& choice;
  const Machine& machine;
  LevelCosts prices;
};

/// Adds the times by these prices, which order is how many times as fast, and how to get it. @pre
/// traced_report()
void add_times(Answer& answer, const TimedOrders& orders);

}  // namespace halocline::tools
