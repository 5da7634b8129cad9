// Times of several pieces of work, taken in turns so that a disturbed moment hits all of them, in another
// order each time so that none always finds what the same other one left in the caches.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace halocline::bench {

using Work = std::function<void()>;

/// Of one call, when it is made so many times in a row.
inline double seconds_of(const Work& work, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

/// The median time of each work over the rounds; a sample is as many calls as fill `sample_seconds`.
inline std::vector<double> medians(const std::vector<Work>& works, int rounds, double sample_seconds) {
  std::vector<int> times;
  for (const Work& work : works) {
    work();
    const double once = std::max(seconds_of(work, 3), 1e-9);
    times.push_back(std::clamp(static_cast<int>(sample_seconds / once), 1, 20000));
  }
  std::vector<std::vector<double>> samples(works.size());
  std::vector<std::size_t> order(works.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random;
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) samples[i].push_back(seconds_of(works[i], times[i]));
  }
  std::vector<double> result;
  for (std::vector<double>& each : samples) {
    std::sort(each.begin(), each.end());
    result.push_back(each[each.size() / 2]);
  }
  return result;
}

}  // namespace halocline::bench
