// SPDX-License-Identifier: BSD-3-Clause
// The clocks of all measurements: what passes on the wall, and what one thread gets of its processor.
#pragma once

#include "base/numbers.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace halocline::tools {

/// Since some moment. Two of them tell how long something took.
using Clock = double (*)();

[[nodiscard]] inline double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of this thread alone: what waits for nobody is not disturbed by others on a shared machine.
[[nodiscard]] inline double processor_clock() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return to_double(now.tv_sec) + 1e-9 * to_double(now.tv_nsec);
}

/// Seconds of one call, when so many are made in a row.
template <class Work>
[[nodiscard]] double seconds_of(Clock clock, const Work& work, int calls = 1) {
  const double begin = clock();
  for (int i = 0; i < calls; ++i) work();
  return (clock() - begin) / calls;
}

/// The result of `work`; how long it took goes to `seconds`.
template <class Work>
[[nodiscard]] auto timed(double& seconds, const Work& work) {
  const double begin = wall_clock();
  auto result = work();
  seconds = wall_clock() - begin;
  return result;
}

/// How many samples are taken: from `fewest` on, until they took `seconds` or there are `most`.
struct Samples {
  int fewest, most;
  double seconds;
};

/// Processor seconds of one call, the least of the samples. A sample is as many calls as fill 100 us, so that
/// reading the clock does not count.
template <class Work>
[[nodiscard]] double least_seconds(const Work& work, const Samples& samples) {
  constexpr double sample_seconds = 100e-6;
  double least = seconds_of(processor_clock, work), spent = least;
  const int calls = least < sample_seconds ? static_cast<int>(sample_seconds / std::max(least, 1e-9)) + 1 : 1;
  for (int sample = 1; sample < samples.most && (sample < samples.fewest || spent < samples.seconds);
       ++sample) {
    const double next = seconds_of(processor_clock, work, calls);
    spent += next * calls;
    least = std::min(least, next);
  }
  return least;
}

}  // namespace halocline::tools
