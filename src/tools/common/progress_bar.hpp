// SPDX-License-Identifier: BSD-3-Clause
// A bar on the terminal for commands that take long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace halocline::tools {

/// Shows on stderr what is going on, how much of it is done and for how long, from two seconds on and once a
/// second, as long as it lives. Silent where stderr is no terminal, and for all processes of a job but the
/// first.
class ProgressBar {
 public:
  explicit ProgressBar(std::string doing);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  /// From now on. A share is in 0..1; one below 0 says that nobody knows.
  void at(const std::string& doing, double share);

 private:
  void show() const;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string doing_;
  double share_ = -1;
  bool shown_ = false, over_ = false;
  std::thread thread_;  ///< Last: it uses all of the above. None where nothing is shown.
};

/// One line on stderr, over the last one: a bar (none for a share below 0), seconds, and what is going on.
void draw_bar(const std::string& doing, double share, double seconds);
/// Takes it away.
void clear_bar();

}  // namespace halocline::tools
