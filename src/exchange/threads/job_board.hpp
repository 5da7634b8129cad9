// SPDX-License-Identifier: BSD-3-Clause
// One thread puts up jobs, others do their share of each.
#pragma once

#include "base/inside.hpp"
#include "halocline/exchange/executor.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

namespace halocline::exchange {

/// Until `value` is not `old` any more: awake for a moment, then asleep.
void await_change(const std::atomic<int>& value, int old);

/// The leader has number 0, the others, who each serve, 1 and so on. Everybody sees every job: so nobody who
/// is late meets one that is over. A job's parts go to the threads in turn.
class HALOCLINE_INSIDE JobBoard {
 public:
  explicit JobBoard(int threads);

  [[nodiscard]] int threads() const { return threads_; }

  // The leader.
  /// Until all serve.
  void gather();
  /// Does it together with them, and returns when all is done. @pre all serve, or will
  void run(int tasks, const WorkParts& task);
  /// Those who serve return; if there is an error they throw it.
  void dismiss(std::exception_ptr error = {});

  /// The others: works until it is dismissed. @pre 0 < number < threads()
  void serve(int number);

 private:
  struct Job {
    WorkParts task{nullptr, nullptr};
    int tasks = 0;  ///< None: only to be seen.
    bool last = false;
    std::exception_ptr error;
  };
  /// Each in a cache line of its own.
  struct alignas(64) Seen {
    int jobs = 0;
  };

  void put_up(Job job);
  void await_all();
  void do_share(const Job& job, int number) const;

  const int threads_;
  Job job_;
  std::vector<Seen> seen_;
  alignas(64) std::atomic<int> jobs_ = 0;  ///< So many were put up.
  alignas(64) std::atomic<int> at_work_ = 0;
};

}  // namespace halocline::exchange
