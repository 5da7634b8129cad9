#include "halocline/schedule/level_costs.hpp"

#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline {

void LevelPrices::set(std::string_view level, const schedule::LinearCost& cost) {
  require(level != "node" && level != "network", "the price of the ", level,
          " is no price of another level; it has a place of its own");
  const bool is_name = !level.empty() && level.find('\0') == std::string_view::npos;
  require(is_name && level.size() <= longest_name, "a level called \"", level,
          "\" cannot have a price; names have 1 to ", longest_name, " characters");
  Entry* entry = entries_.data();
  Entry* const behind = entry + size_;
  while (entry != behind && entry->level() != level) ++entry;
  if (entry == behind) {
    require(size_ < most, "the level ", level, " cannot have a price; there are those of ", most,
            " levels already");
    ++size_;
    std::copy(level.begin(), level.end(), entry->letters.begin());
  }
  entry->cost = cost;
}

const schedule::LinearCost* LevelPrices::find(std::string_view level) const {
  const Entry* const found =
      std::find_if(begin(), end(), [&](const Entry& entry) { return entry.level() == level; });
  return found == end() ? nullptr : &found->cost;
}

namespace schedule {

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
  constexpr auto any = static_cast<double>(Count{1} << 62);
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

}  // namespace schedule
}  // namespace halocline
