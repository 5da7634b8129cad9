// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/watchdog.hpp"

#include <chrono>
#include <utility>

#include <unistd.h>

namespace halocline::tools {

Watchdog::Watchdog(double seconds, std::function<void()> last_words)
    : thread_([this, seconds, last_words = std::move(last_words)] {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return called_off_; }))
          return;
        last_words();
        _exit(1);
      }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    called_off_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace halocline::tools
