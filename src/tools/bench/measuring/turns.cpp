// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measuring/turns.hpp"

#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/median.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halocline::tools {

std::vector<std::size_t> shuffled(std::size_t number, std::mt19937& chance) {
  std::vector<std::size_t> order(number);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = number; left > 1; --left) std::swap(order[left - 1], order[chance() % left]);
  return order;
}

std::vector<double> medians_in_turns(const std::vector<std::function<void()>>& works, int rounds,
                                     double sample_seconds) {
  constexpr double most_calls = 20000;
  std::vector<int> calls;
  for (const auto& work : works) {
    work();  // first use is never typical
    const double once = std::max(seconds_of(wall_clock, work, 3), 1e-9);
    calls.push_back(static_cast<int>(std::clamp(sample_seconds / once, 1.0, most_calls)));
  }
  std::vector<std::vector<double>> samples(works.size());
  std::mt19937 chance;
  for (int round = 0; round < rounds; ++round)
    for (const std::size_t i : shuffled(works.size(), chance))
      samples[i].push_back(seconds_of(wall_clock, works[i], calls[i]));
  std::vector<double> result(works.size());
  std::transform(samples.begin(), samples.end(), result.begin(), median);
  return result;
}

}  // namespace halocline::tools
