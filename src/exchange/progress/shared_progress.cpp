// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/progress/shared_progress.hpp"

#include "base/pause.hpp"
#include "exchange/progress/mpi_waiting.hpp"

#include <exception>
#include <thread>
#include <utility>

#include <sched.h>

namespace halocline::exchange {

class SharedProgress::Waiting {
 public:
  explicit Waiting(SharedProgress& progress) : progress_(progress) { ++progress_.waiting_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    bool work_left = false;
    {
      // A thread of the library may just have found somebody waiting.
      const std::lock_guard<std::mutex> lock(progress_.list_);
      work_left = --progress_.waiting_ == 0 && !progress_.active_.empty();
    }
    if (work_left) progress_.work_.notify_one();
  }

 private:
  SharedProgress& progress_;
};

void SharedProgress::expect_processes(std::size_t on_this_node) {
  std::size_t known = processes();
  while (known < on_this_node && !processes_.compare_exchange_weak(known, on_this_node)) {
  }
}

void SharedProgress::begin(Active& operation) {
  operation.standing_.store(Active::Standing::taken, std::memory_order_relaxed);
  const std::lock_guard<std::mutex> lock(list_);
  active_.push_back(&operation);
}

void SharedProgress::release(Active& operation, bool complete) noexcept {
  if (complete) {
    const std::lock_guard<std::mutex> lock(list_);
    std::erase(active_, &operation);
  }
  // Its owner may destroy it, or begin it again, as soon as it is at rest.
  operation.standing_.store(complete ? Active::Standing::at_rest : Active::Standing::under_way,
                            std::memory_order_release);
  if (!complete && has_thread_.load(std::memory_order_relaxed) && waiting_ == 0) {
    // Under the lock, or it may be about to sleep.
    { const std::lock_guard<std::mutex> lock(list_); }
    work_.notify_one();
  }
}

bool SharedProgress::take(Active& operation) {
  for (;;) {
    auto standing = operation.standing_.load(std::memory_order_acquire);
    if (standing == Active::Standing::at_rest || standing == Active::Standing::failed) return false;
    if (standing == Active::Standing::under_way &&
        operation.standing_.compare_exchange_weak(standing, Active::Standing::taken,
                                                  std::memory_order_acquire))
      return true;
    sched_yield();
  }
}

void SharedProgress::remove(Active& operation) {
  if (!take(operation) && operation.at_rest()) return;
  operation.failure_ = nullptr;
  release(operation, true);
}

Active* SharedProgress::take(std::size_t place) {
  const std::lock_guard<std::mutex> lock(list_);
  if (place >= active_.size()) return nullptr;
  Active* const operation = active_[place];
  auto under_way = Active::Standing::under_way;
  const bool taken = operation->standing_.compare_exchange_strong(under_way, Active::Standing::taken,
                                                                  std::memory_order_acquire);
  return taken ? operation : nullptr;
}

void SharedProgress::move(Active& operation) noexcept {
  bool complete = false;
  try {
    complete = operation.advance();
  } catch (...) {
    operation.failure_ = std::current_exception();
    operation.standing_.store(Active::Standing::failed, std::memory_order_release);
    return;
  }
  if (complete) return release(operation, true);
  operation.standing_.store(Active::Standing::under_way, std::memory_order_release);
}

void SharedProgress::move_all() {
  std::size_t count = 0;
  {
    const std::lock_guard<std::mutex> lock(list_);
    count = active_.size();
  }
  // What others begin or complete meanwhile changes places: some are moved twice or not at all this time.
  while (count-- > 0)
    if (Active* const operation = take(count)) move(*operation);
}

bool SharedProgress::is_done(Active& operation) {
  const auto standing = operation.standing_.load(std::memory_order_acquire);
  if (standing == Active::Standing::failed) {
    const std::exception_ptr failure = std::exchange(operation.failure_, nullptr);
    operation.standing_.store(Active::Standing::under_way, std::memory_order_release);
    std::rethrow_exception(failure);
  }
  return standing == Active::Standing::at_rest;
}

void SharedProgress::let_mpi_work() {
  const std::unique_lock<std::mutex> alone(mpi_in_use_, std::try_to_lock);
  if (alone.owns_lock()) mpi_.go_on();  // else another thread does it
}

void SharedProgress::give_way(int vain_turns) {
  static const unsigned cores = std::thread::hardware_concurrency();
  const bool spins = processes() * static_cast<std::size_t>(waiting_) <= cores;
  if (spins && vain_turns < spins_of_a_core) return pause_briefly();
  if (vain_turns % 4 == 0)
    let_mpi_work();
  else
    sched_yield();
}

bool SharedProgress::test(Active& operation) {
  if (is_done(operation)) return true;
  move_all();
  if (is_done(operation)) return true;
  let_mpi_work();
  // A core that others need: who asks computes in between, and is asked for nothing more here.
  sched_yield();
  return false;
}

void SharedProgress::wait(Active& operation) {
  if (is_done(operation)) return;
  const Waiting waiting(*this);
  for (int vain_turns = 1;; ++vain_turns) {
    move_all();
    if (is_done(operation)) return;
    give_way(vain_turns);
  }
}

void SharedProgress::wait(MPI_Request request) {
  const Waiting waiting(*this);
  for (int vain_turns = 1; !ask(request); ++vain_turns) {
    move_all();
    give_way(vain_turns);
  }
}

bool SharedProgress::wait_for_work() {
  std::unique_lock<std::mutex> lock(list_);
  has_thread_ = true;
  work_.wait(lock, [this] { return ended_ || (employed_ && !active_.empty() && waiting_ == 0); });
  if (ended_) has_thread_ = false;
  return !ended_;
}

void SharedProgress::work() {
  move_all();
  let_mpi_work();
}

void SharedProgress::employ(bool wanted) {
  {
    const std::lock_guard<std::mutex> lock(list_);
    employed_ = wanted;
  }
  work_.notify_all();
}

void SharedProgress::end_work() {
  {
    const std::lock_guard<std::mutex> lock(list_);
    ended_ = true;
  }
  work_.notify_all();
}

}  // namespace halocline::exchange
