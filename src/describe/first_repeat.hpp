// SPDX-License-Identifier: BSD-3-Clause
// Finding what a list names twice.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

namespace halocline {

struct Repeat {
  std::size_t first, second;
};

/// The positions of the first value that was there before, and of where it was; sorts unless `values` grow.
template <class Value>
[[nodiscard]] std::optional<Repeat> first_repeat(const std::vector<Value>& values) {
  if (std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end())
    return std::nullopt;
  std::vector<std::size_t> positions(values.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::optional<Repeat> found;
  for (std::size_t i = 1; i < positions.size(); ++i) {
    const Repeat pair{positions[i - 1], positions[i]};
    if (values[pair.first] == values[pair.second] && (!found || pair.second < found->second)) found = pair;
  }
  return found;
}

}  // namespace halocline
