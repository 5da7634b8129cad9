// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/schedule/level_costs.hpp"

#include "base/fail.hpp"

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

}  // namespace halocline
