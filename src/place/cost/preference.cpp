// SPDX-License-Identifier: BSD-3-Clause
#include "place/cost/preference.hpp"

#include <tuple>

namespace halocline::place {
namespace {

constexpr Count accepted_percent = 3;

}  // namespace

Count acceptable(Count j_sum) {
  return j_sum + j_sum / 100 * accepted_percent + j_sum % 100 * accepted_percent / 100;
}

std::size_t preferred(std::span<const LevelCost> costs) {
  const auto key = [&](std::size_t i) { return std::pair(costs[i].total.bytes, costs[i].largest.bytes); };
  std::size_t least = 0;
  for (std::size_t i = 1; i < costs.size(); ++i)
    if (key(i) < key(least)) least = i;
  const auto [least_sum, least_max] = key(least);
  std::size_t chosen = least;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const auto [sum, max] = key(i);
    if (sum > acceptable(least_sum)) continue;
    if (max == least_max || max > least_max / 4) continue;
    if (chosen == least || std::pair(max, sum) < std::pair(key(chosen).second, key(chosen).first)) chosen = i;
  }
  return chosen;
}

}  // namespace halocline::place
