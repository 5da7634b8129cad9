// SPDX-License-Identifier: BSD-3-Clause
// A thread of the library that moves what is under way while all threads of the program compute.
#pragma once

#include "exchange/progress/shared_progress.hpp"

#include <memory>
#include <thread>

#include <sys/types.h>

namespace halocline::exchange {

/// Sleeps while nothing is under way, and while a thread of the program waits, which then moves all.
class ProgressThread {
 public:
  /// Begins the one of this process, unless there is one. MPI_Finalize ends it before anything else. Throws
  /// Error{out_of_memory} if there can be none. Local. @pre mpi::several_threads()
  static void begin();

  /// What it moves outlives it.
  explicit ProgressThread(std::shared_ptr<SharedProgress> progress);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  /// Ends it, and waits for that.
  ~ProgressThread();

 private:
  void run();

  std::shared_ptr<SharedProgress> progress_;
  pid_t process_;  ///< A child that was forked has no such thread.
  std::thread thread_;
};

}  // namespace halocline::exchange
