// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/threads/job_board.hpp"

#include "base/index.hpp"
#include "base/pause.hpp"

#include <utility>

namespace halocline::exchange {
namespace {

/// Some 50 us: as long as it takes to put a thread to sleep and to wake it up.
constexpr int looks = 1000;

}  // namespace

void await_change(const std::atomic<int>& value, int old) {
  for (int look = 0; look < looks; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

JobBoard::JobBoard(int threads) : threads_(threads), seen_(to_index(threads)) {}

void JobBoard::await_all() {
  for (int left = at_work_.load(std::memory_order_acquire); left != 0;
       left = at_work_.load(std::memory_order_acquire))
    await_change(at_work_, left);
}

void JobBoard::put_up(Job job) {
  await_all();  // of the job before
  job_ = std::move(job);
  at_work_.store(threads_ - 1, std::memory_order_relaxed);
  jobs_.fetch_add(1, std::memory_order_release);
  jobs_.notify_all();
}

void JobBoard::do_share(const Job& job, int number) const {
  for (int part = number; part < job.tasks; part += threads_) job.task(part);
}

void JobBoard::gather() {
  put_up({});
  await_all();
}

void JobBoard::run(int tasks, const WorkParts& task) {
  put_up({task, tasks, false, {}});
  for (int part = 0; part < tasks; part += threads_) task(part);
  await_all();
}

void JobBoard::dismiss(std::exception_ptr error) { put_up({{nullptr, nullptr}, 0, true, std::move(error)}); }

void JobBoard::serve(int number) {
  int& seen = seen_[to_index(number)].jobs;
  for (bool last = false; !last;) {
    await_change(jobs_, seen);
    ++seen;  // no other job comes before this one is done
    do_share(job_, number);
    last = job_.last;
    const std::exception_ptr error = last ? job_.error : nullptr;
    if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1) at_work_.notify_all();
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace halocline::exchange
