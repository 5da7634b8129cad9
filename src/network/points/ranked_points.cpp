// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/ranked_points.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace halocline::network {
namespace {

/// The ranks if all coordinates are integers in a range not much wider than their number: false if not.
bool rank_integers(const std::vector<double>& column, RankedColumn& result) {
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  const double lowest = *low;
  if (!(*high - lowest < 4.0 * to_double(column.size()) + 64)) return false;
  if (lowest != std::trunc(lowest) || std::fabs(lowest) > 1e15) return false;
  std::vector<std::uint32_t> rank_of(static_cast<std::size_t>(*high - lowest) + 1, 0);
  for (const double value : column) {
    const auto offset = static_cast<std::uint32_t>(value - lowest);
    if (to_double(offset) != value - lowest) return false;
    rank_of[offset] = 1;
  }
  for (std::size_t offset = 0; offset < rank_of.size(); ++offset) {
    if (rank_of[offset] == 0) continue;
    rank_of[offset] = static_cast<std::uint32_t>(result.values.size());
    result.values.push_back(lowest + to_double(offset));
  }
  result.ranks.resize(column.size());
  for (std::size_t i = 0; i < column.size(); ++i)
    result.ranks[i] = rank_of[static_cast<std::uint32_t>(column[i] - lowest)];
  return true;
}

struct Item {
  std::uint64_t key;
  std::uint32_t point;
};

/// An integer that is ordered as the finite number is. Adding zero makes the two zeros one.
std::uint64_t key_of(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// Sorts by key, digit after digit; digits that are the same everywhere cost nothing.
void radix_sort(std::vector<Item>& items) {
  constexpr unsigned bits = 11;
  constexpr std::size_t digits = (64 + bits - 1) / bits;
  constexpr std::size_t values = std::size_t{1} << bits;
  const auto digit = [](std::uint64_t key, std::size_t d) { return key >> (d * bits) & (values - 1); };

  std::vector<std::array<std::uint32_t, values>> counts(digits);
  for (auto& count : counts) count.fill(0);
  for (const Item& item : items)
    for (std::size_t d = 0; d < digits; ++d) ++counts[d][digit(item.key, d)];

  std::vector<Item> sorted(items.size());
  for (std::size_t d = 0; d < digits; ++d) {
    auto& starts = counts[d];
    if (starts[digit(items.front().key, d)] == items.size()) continue;
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), std::uint32_t{0});
    for (const Item& item : items) sorted[starts[digit(item.key, d)]++] = item;
    items.swap(sorted);
  }
}

RankedColumn ranked_column(const std::vector<double>& column) {
  RankedColumn result;
  if (rank_integers(column, result)) return result;
  std::vector<Item> items(column.size());
  for (std::size_t i = 0; i < column.size(); ++i)
    items[i] = {key_of(column[i]), static_cast<std::uint32_t>(i)};
  radix_sort(items);
  result.ranks.resize(column.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || items[i].key != items[i - 1].key) result.values.push_back(column[items[i].point]);
    result.ranks[items[i].point] = static_cast<std::uint32_t>(result.values.size() - 1);
  }
  return result;
}

}  // namespace

std::vector<RankedColumn> ranked(const Points& points) {
  std::vector<RankedColumn> columns;
  for (std::size_t d = 0; d < points.dimensions(); ++d) columns.push_back(ranked_column(points.column(d)));
  return columns;
}

}  // namespace halocline::network
