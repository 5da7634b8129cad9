// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/traced_times.hpp"

#include "base/fail.hpp"
#include "plan/prices/price_text.hpp"
#include "plan/traced/order_time.hpp"
#include "tools/common/table.hpp"

#include <string>

namespace halocline::tools {
namespace {

constexpr const char* how_to_get_it =
    "To get it: --order FILE, then halocline run --order FILE -- mpirun ... ./program; or --rankfile FORMAT "
    "FILE for the launcher.";
constexpr const char* keep_the_default =
    "It sends fewer bytes between nodes, but its busiest process sends more messages there: keep the default "
    "order unless the network is what programs wait for.";

Entry time_of(double seconds) { return {plan::seconds_text(seconds), seconds}; }

Table time_table() {
  return Table({Column::left("busy with", 18, "order"),
                Column::right("messages on node", 18, "node_messages_seconds"),
                Column::right("their bytes", 13, "node_bytes_seconds"),
                Column::right("messages out", 14, "network_messages_seconds"),
                Column::right("their bytes", 13, "network_bytes_seconds"),
                Column::right("all", 10, "seconds"), Column::right("node", 8, "node")});
}

void add_time(Table& table, const std::string& order, const plan::OrderTime& time) {
  const plan::Seconds& seconds = time.seconds;
  table.add({order, time_of(seconds.node_messages), time_of(seconds.node_bytes),
             time_of(seconds.network_messages), time_of(seconds.network_bytes), time_of(seconds.total()),
             time.node});
}

}  // namespace

void add_times(Answer& answer, const TimedOrders& orders) {
  const auto& [matrix, choice, machine, prices] = orders;
  const plan::OrderTime before = plan::order_time(matrix, machine, choice.before.order, prices);
  const std::string by_prices = plan::prices_text(prices);
  Table table = time_table();
  add_time(table, choice.before.by, before);
  std::string words;
  if (choice.gains()) {
    const plan::OrderTime after = plan::order_time(matrix, machine, choice.after.order, prices);
    add_time(table, choice.after.by, after);
    const double seconds = after.seconds.total(), in_default_order = before.seconds.total();
    const std::string verdict = concat("By these prices ", choice.after.by, " is ",
                                       plan::as_fast_as(seconds, in_default_order, "the default order"), ".");
    // Fewer bytes out of all nodes may come with more messages out of one process.
    const bool is_faster = seconds < in_default_order;
    words = concat("\n", verdict, "\n", is_faster ? how_to_get_it : keep_the_default, "\n");
    answer.json["verdict"] = verdict;
    answer.json["reasons"].push_back(verdict);
    if (!is_faster) answer.json["reasons"].push_back(keep_the_default);
  }
  answer.text +=
      concat("\nprices (cost of a message, speed of bytes, time under way): ", by_prices,
             "\nthe node that is busy longest, with all messages of the trace:\n\n", table.to_text(), words);
  answer.json["prices"] = by_prices;
  answer.json["times"] = table.to_json();
}

}  // namespace halocline::tools
