// SPDX-License-Identifier: BSD-3-Clause
// Writes what this process has recorded so far, while the program goes on: again and again, or at a signal.
#pragma once

#include "preload/trace/recorder.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include <semaphore.h>

namespace halocline::recorder {

/// When parts are written.
struct PartTimes {
  double interval_seconds = 0;  ///< 0: not by the clock.
  int signal = 0;               ///< 0: not at a signal.
  [[nodiscard]] bool any() const { return interval_seconds > 0 || signal != 0; }
};

/// One in a process, and it stays until the process ends: the signal may come at any time. A program that
/// catches the signal already still gets it; one that catches it later takes it away.
class PartWriter {
 public:
  PartWriter(const Recorder& recorder, std::string path, PartTimes times);
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  void write();
  /// From now on nothing is written by itself.
  void stop();
  void remove() const;

 private:
  void run();
  /// Until it is time to write, or to stop.
  void wait();

  const Recorder* recorder_;
  std::string path_;
  PartTimes times_;
  std::mutex writing_;
  sem_t wanted_{};
  std::atomic<bool> stopped_ = false;
  bool failed_ = false;
  std::thread thread_;
};

}  // namespace halocline::recorder
