// SPDX-License-Identifier: BSD-3-Clause
#include "halo/turns.hpp"

#include "base/numbers.hpp"
#include "plan/transport/sizes.hpp"

#include <algorithm>

namespace halocline::halo {
namespace {

using plan::most_exchanges_of_a_halo;

/// Not exact beyond most_exchanges_of_a_halo.
std::size_t number_of_ways(std::span<const std::size_t> counts) {
  std::size_t ways = 1;
  for (const std::size_t count : counts) ways = std::min(ways * count, most_exchanges_of_a_halo + 1);
  return ways;
}

std::vector<Turn> all_ways(std::span<const std::size_t> counts) {
  std::vector<Turn> ways{{}};
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    std::vector<Turn> longer;
    for (const Turn& way : ways)
      for (std::size_t i = 0; i < count; ++i) {
        longer.push_back(way);
        longer.back().push_back(first + i);
      }
    ways = std::move(longer);
    first += count;
  }
  return ways;
}

std::vector<Turn> all_alike(std::span<const std::size_t> counts) {
  std::vector<Turn> turns(*std::max_element(counts.begin(), counts.end()));
  for (std::size_t t = 0; t < turns.size(); ++t) {
    std::size_t first = 0;
    for (const std::size_t count : counts) {
      turns[t].push_back(first + t % count);
      first += count;
    }
  }
  return turns;
}

std::vector<Turn> parts(std::span<const std::size_t> counts) {
  std::vector<Turn> parts;
  Turn fixed;
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    if (count == 1) fixed.push_back(first);
    for (std::size_t i = 0; count > 1 && i < count; ++i) parts.push_back({first + i});
    first += count;
  }
  if (!fixed.empty()) parts.push_back(std::move(fixed));
  return parts;
}

}  // namespace

Turns turns_of(std::span<const std::size_t> counts) {
  const auto rotating = counts.size() - to_size(std::count(counts.begin(), counts.end(), 1));
  if (rotating <= 1 || number_of_ways(counts) <= most_exchanges_of_a_halo) return {all_ways(counts), {}};
  return {all_alike(counts), parts(counts)};
}

}  // namespace halocline::halo
