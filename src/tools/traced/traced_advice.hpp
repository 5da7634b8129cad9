// SPDX-License-Identifier: BSD-3-Clause
// How a program that was traced gets to run in the suggested order: lines to be copied.
#pragma once

#include "plan/report/advice.hpp"
#include "plan/traced/order_choice.hpp"
#include "tools/plan/rank_file_words.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

struct StartedOrder {
  const plan::OrderChoice& choice;
  const Machine& machine;
  const RankFileWords& rank_file;
  std::string order_file;  ///< FILE if it is not written.
  bool by_name;            ///< Does it count which of equal nodes is which?
};

/// The ways that there are; where nothing is gained, how launchers start a program by themselves.
[[nodiscard]] std::vector<plan::Advice> how_to_start(const StartedOrder& order);

}  // namespace halocline::tools
