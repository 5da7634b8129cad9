// SPDX-License-Identifier: BSD-3-Clause
// Ends a process that is caught in a call which does not return.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace halocline::tools {

/// Unless it is destroyed within the given time, it calls `last_words` from a thread of its own and ends the
/// process with status 1, without finalizing anything: under a launcher this ends the job.
class Watchdog {
 public:
  Watchdog(double seconds, std::function<void()> last_words);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool called_off_ = false;
  std::thread thread_;  ///< Last: it uses all of the above.
};

}  // namespace halocline::tools
