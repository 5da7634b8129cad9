// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/exchange/statistics.hpp"

#include "base/numbers.hpp"
#include "base/table.hpp"

namespace halocline {
namespace {

/// Means of an exchange.
std::string traffic_text(const ExchangeStatistics& all) {
  TextTable table({Column::left("", 10), Column::right("", 10), Column::left("", 0), Column::right("", 14),
                   Column::left("", 0)});
  const auto add = [&](const char* what, const Traffic& traffic) {
    const auto mean = [&](Count sum) { return all.exchanges == 0 ? 0.0 : ratio_of(sum, all.exchanges); };
    table.add({what, with_digits(mean(traffic.messages), 1), "messages", with_digits(mean(traffic.bytes), 0),
               "bytes an exchange"});
  };
  add("  self", all.self);
  add("  node", all.node);
  add("  network", all.network);
  return table.to_text();
}

}  // namespace

std::string ExchangeStatistics::to_text() const {
  std::string text = std::to_string(exchanges) + " exchanges\n" + traffic_text(*this);
  if (!timed) return text;
  const auto microseconds = [&](double seconds) {
    return with_digits(exchanges == 0 ? 0.0 : seconds * 1e6 / to_double(exchanges), 2) + " us";
  };
  return text + "  packing " + microseconds(pack_seconds) + ", waiting for late neighbours " +
         microseconds(late_seconds) + ", for data " + microseconds(transfer_seconds) + " an exchange\n";
}

}  // namespace halocline
