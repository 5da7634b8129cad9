// SPDX-License-Identifier: BSD-3-Clause
// Time that is taken only where someone asks for it.
#pragma once

#include <chrono>

namespace halocline::exchange {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

struct Stopwatch {
  double seconds = 0;
};

/// Adds the time until the end of the scope to a stopwatch; costs one branch if there is none.
class Lap {
 public:
  explicit Lap(Stopwatch* stopwatch) : stopwatch_(stopwatch) {
    if (stopwatch_ != nullptr) begin_ = Clock::now();
  }
  ~Lap() {
    if (stopwatch_ != nullptr) stopwatch_->seconds += seconds_between(begin_, Clock::now());
  }
  Lap(const Lap&) = delete;
  Lap& operator=(const Lap&) = delete;

 private:
  Stopwatch* stopwatch_;
  Clock::time_point begin_;
};

}  // namespace halocline::exchange
