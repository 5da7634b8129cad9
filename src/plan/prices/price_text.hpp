// SPDX-License-Identifier: BSD-3-Clause
// Times and prices as people write them, and one time beside another.
#pragma once

#include "halocline/schedule/level_costs.hpp"

#include <string>

namespace halocline::plan {

/// Three digits: "12.3", "1.5e+06".
[[nodiscard]] std::string rounded(double value);
/// Three digits, and all of those before the point: "12.3", "1500000".
[[nodiscard]] std::string in_full(double value);
/// How one way that takes `seconds` is beside another, to go on after "is": "1.63 times as fast as mixed".
/// Where three digits show no difference, "as fast as mixed".
[[nodiscard]] std::string as_fast_as(double seconds, double others, const std::string& other);
/// Three digits and the unit that fits: "12.3 us".
[[nodiscard]] std::string seconds_text(double seconds);
/// "200 ns, 8 GB/s, 300 ns".
[[nodiscard]] std::string price_text(const schedule::LinearCost& price);
/// All of them: "on a node 200 ns, 8 GB/s, 300 ns; out of a node ...", and other levels that have any.
[[nodiscard]] std::string prices_text(const LevelCosts& prices);

}  // namespace halocline::plan
