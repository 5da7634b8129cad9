// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/exchange/statistics.hpp"

#include <cstdio>

namespace halocline {
namespace {

std::string line(const char* what, const Traffic& traffic, Count exchanges) {
  char text[128];
  const auto per_exchange = [&](Count n) {
    return exchanges == 0 ? 0.0 : static_cast<double>(n) / static_cast<double>(exchanges);
  };
  std::snprintf(text, sizeof text, "  %-8s %10.1f messages %14.0f bytes an exchange\n", what,
                per_exchange(traffic.messages), per_exchange(traffic.bytes));
  return text;
}

}  // namespace

std::string ExchangeStatistics::to_text() const {
  std::string text = std::to_string(exchanges) + " exchanges\n" + line("self", self, exchanges) +
                     line("node", node, exchanges) + line("network", network, exchanges);
  if (!timed) return text;
  const auto microseconds = [&](double seconds) {
    return exchanges == 0 ? 0.0 : seconds * 1e6 / static_cast<double>(exchanges);
  };
  char times[160];
  std::snprintf(times, sizeof times,
                "  packing %.2f us, waiting for late neighbours %.2f us, for data %.2f us an exchange\n",
                microseconds(pack_seconds), microseconds(late_seconds), microseconds(transfer_seconds));
  return text + times;
}

}  // namespace halocline
