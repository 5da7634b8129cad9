// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/price_text.hpp"

#include "base/fail.hpp"
#include "base/quantity.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace halocline::plan {
namespace {

constexpr double rounds_to_1000 = 999.5;

}  // namespace

std::string rounded(double value) {
  std::ostringstream out;
  out << std::setprecision(3) << value;
  return out.str();
}

std::string in_full(double value) {
  if (value < rounds_to_1000) return rounded(value);
  std::ostringstream out;
  out << std::fixed << std::setprecision(0) << value;
  return out.str();
}

std::string as_fast_as(double seconds, double others, const std::string& other) {
  const std::string times = seconds == others ? "1"
                            : seconds == 0    ? "infinitely many"
                                              : in_full(others / seconds);
  return (times == "1" ? "as fast as " : times + " times as fast as ") + other;
}

std::string seconds_text(double seconds) {
  for (const Unit& unit : time_units)
    if (seconds < rounds_to_1000 * unit.factor)
      return rounded(seconds / unit.factor) + " " + std::string(unit.name);
  return in_full(seconds) + " s";
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
