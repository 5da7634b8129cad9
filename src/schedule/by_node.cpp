// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/by_node.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::schedule {

void check(const LinearCost& cost) {
  constexpr double most_seconds = 1e100;
  for (const double price : {cost.round_seconds, cost.byte_seconds, cost.latency_seconds})
    require(price >= 0 && price <= most_seconds, "the price of ", price,
            " seconds is not a number from 0 to ", most_seconds);
}

void check(const LevelCosts& costs) {
  check(costs.on_node);
  check(costs.between_nodes);
  for (const LevelPrices::Entry& entry : costs.levels) check(entry.cost);
}

Count longest_by_node(const LevelCosts& costs) {
  check(costs);
  constexpr auto any = to_double(Count{1} << 62);
  const double saved = costs.between_nodes.round_seconds;
  const double added_by_byte = costs.between_nodes.byte_seconds + 2 * costs.on_node.byte_seconds;
  return saved == 0 ? 0 : static_cast<Count>(std::min(saved / added_by_byte, any));
}

bool pays_by_node(Count pairs, Count writers, Count readers) {
  return pairs >= 2 * std::max(writers, readers);
}

Count node_messages(Count bytes) {
  constexpr Count usual_bytes = Count{16} * 1024;
  return std::clamp(bytes / usual_bytes, Count{1}, Count{most_node_messages});
}

}  // namespace halocline::schedule
