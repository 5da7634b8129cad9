// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/price_text.hpp"

#include "base/fail.hpp"
#include "base/quantity.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace halocline::plan {

std::string rounded(double value) {
  std::ostringstream out;
  out << std::setprecision(3) << value;
  return out.str();
}

std::string seconds_text(double seconds) {
  constexpr double rounds_to_1000 = 999.5;
  for (const Unit& unit : time_units)
    if (seconds < rounds_to_1000 * unit.factor)
      return rounded(seconds / unit.factor) + " " + std::string(unit.name);
  std::ostringstream out;
  out << std::fixed << std::setprecision(0) << seconds << " s";
  return out.str();
}

std::string price_text(const schedule::LinearCost& price) {
  return seconds_text(price.round_seconds) + ", " + rounded(1e-9 / price.byte_seconds) + " GB/s, " +
         seconds_text(price.latency_seconds);
}

std::string prices_text(const LevelCosts& prices) {
  std::string text =
      concat("on a node ", price_text(prices.on_node), "; out of a node ", price_text(prices.between_nodes));
  for (const LevelPrices::Entry& entry : prices.levels)
    text += concat("; inside one ", entry.level(), " ", price_text(entry.cost));
  return text;
}

}  // namespace halocline::plan
