// SPDX-License-Identifier: BSD-3-Clause
// Times and prices as people write them.
#pragma once

#include "halocline/schedule/level_costs.hpp"

#include <string>

namespace halocline::plan {

/// Three digits: "12.3", "1.5e+06".
[[nodiscard]] std::string rounded(double value);
/// Three digits and the unit that fits: "12.3 us".
[[nodiscard]] std::string seconds_text(double seconds);
/// "200 ns, 8 GB/s, 300 ns".
[[nodiscard]] std::string price_text(const schedule::LinearCost& price);
/// All of them: "on a node 200 ns, 8 GB/s, 300 ns; out of a node ...", and other levels that have any.
[[nodiscard]] std::string prices_text(const LevelCosts& prices);

}  // namespace halocline::plan
