// SPDX-License-Identifier: BSD-3-Clause
// Times that cost a few nanoseconds: the processor's counter, measured against the clock over the whole run.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

namespace halocline::recorder {

using Ticks = std::int64_t;

[[nodiscard]] inline Ticks nanoseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

[[nodiscard]] inline Ticks ticks_now() {
#if defined(__x86_64__)
  return static_cast<Ticks>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  Ticks ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return nanoseconds_now();
#endif
}

/// From its creation on.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return static_cast<double>(nanoseconds_now() - begun_) / 1e9; }
  /// To the nanosecond.
  [[nodiscard]] double seconds_of(Ticks ticks) const {
    const Ticks all = ticks_now() - begun_ticks_;
    if (ticks <= 0 || all <= 0) return 0;
    const auto nanoseconds = static_cast<double>(nanoseconds_now() - begun_);
    return std::round(nanoseconds * static_cast<double>(ticks) / static_cast<double>(all)) / 1e9;
  }

 private:
  Ticks begun_ = nanoseconds_now();
  Ticks begun_ticks_ = ticks_now();
};

}  // namespace halocline::recorder
