// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/progress/progress_thread.hpp"

#include "base/pause.hpp"
#include "base/signals_blocked.hpp"

#include <chrono>
#include <new>

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace halocline::exchange {
namespace {

/// What a turn in vain is followed by where threads that compute need the core.
constexpr std::chrono::microseconds nap{50};
/// The kernel may add so much to it; it would be 50 us unless somebody says so.
constexpr unsigned long nap_slack_nanoseconds = 5000;

/// Those that this thread may run on.
std::size_t own_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<std::size_t>(CPU_COUNT(&set));
}

}  // namespace

ProgressThread::ProgressThread(std::shared_ptr<SharedProgress> progress)
    : progress_(std::move(progress)), process_(getpid()) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

ProgressThread::~ProgressThread() {
  if (process_ != getpid()) {                                  // there is nobody to wait for
    (void)new (std::nothrow) std::thread(std::move(thread_));  // NOLINT(cppcoreguidelines-owning-memory)
    return;
  }
  progress_->end_work();
  thread_.join();
}

void ProgressThread::run() {
  pthread_setname_np(pthread_self(), "halocline");
  prctl(PR_SET_TIMERSLACK, nap_slack_nanoseconds, 0, 0, 0);
  const std::size_t cores = own_cores(), all_cores = std::thread::hardware_concurrency();
  for (int vain_turns = 0; progress_->wait_for_work(); ++vain_turns) {
    progress_->work();
    // A core for each process that computes, and one for each that does this?
    if (cores < 2 || 2 * progress_->processes() > all_cores)
      std::this_thread::sleep_for(nap);
    else if (vain_turns % spins_of_a_core != 0)
      pause_briefly();
    else
      sched_yield();
  }
}

}  // namespace halocline::exchange
