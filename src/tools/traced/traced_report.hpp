// SPDX-License-Identifier: BSD-3-Clause
// What became of the ranks of a trace, for people and for programs.
#pragma once

#include "plan/traced/order_choice.hpp"
#include "tools/common/command.hpp"

#include <optional>

namespace halocline::tools {

/// `recorded` is what the traced job itself sent between its nodes.
[[nodiscard]] Answer traced_report(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice,
                                   const plan::MatrixLevelCost& recorded);

}  // namespace halocline::tools
