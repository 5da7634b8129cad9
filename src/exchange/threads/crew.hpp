// SPDX-License-Identifier: BSD-3-Clause
// Who does the copies of an exchange: the thread that moves it, or it and others that were lent to it.
#pragma once

#include "halocline/exchange/executor.hpp"
#include "halocline/exchange/team.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace halocline::exchange {

/// Of something that is done by several, one part.
struct Share {
  int number = 0, of = 1;

  /// Of so many things, the first of the part.
  [[nodiscard]] Count begin(Count count) const { return cut(count, number); }
  [[nodiscard]] Count end(Count count) const { return cut(count, number + 1); }
  [[nodiscard]] bool whole() const { return of == 1; }

 private:
  [[nodiscard]] Count cut(Count count, int at) const { return count / of * at + count % of * at / of; }
};

/// Copies that do not depend on each other, by what they cost.
class Load {
 public:
  void add(Count bytes, Count runs);
  [[nodiscard]] const std::vector<Count>& works() const { return works_; }
  [[nodiscard]] Count total() const { return total_; }

 private:
  std::vector<Count> works_;
  Count total_ = 0;
};

/// The workers of one exchange. What goes wrong with them is kept until it is asked for, and their work is
/// done all the same: others wait for what this process sends.
///
/// Where several threads may move an exchange, workers of the program work for one of them: for the thread
/// that is in a call of this exchange, which is one at a time. Whoever else moves it, since he waits for
/// another or is the progress thread, has the threads of the library, if it has some, or does its copies
/// alone. So an executor runs in the thread of the call that it was lent to and nowhere else, and all that a
/// crew keeps is that thread's. No lock of ours is held while one runs.
class Crew {
 public:
  /// Whom they work for.
  enum class Serves { whoever_moves, its_call, nobody };

  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// One thread at a time moves it unless this says otherwise. Before anything is under way.
  void serve(Serves whom) { serves_ = whom; }

  /// From now on, unless others are lent. Throws Error{invalid_argument} for fewer than one worker, or if it
  /// is at work. @pre nobody else moves the exchange
  void employ(const Workers& workers);
  /// The same; one whose run() any thread may call at any time, and which calls nothing of the program.
  void employ_library(ThreadPool& pool);
  /// For the time of a call, in its thread. Throws Error{invalid_argument} for fewer than one worker, or if
  /// some are at work.
  void lend(const Workers& workers);
  void give_back();

  /// As long as it lives, its thread is in a call of the exchange.
  class Call {
   public:
    explicit Call(Crew& crew) : crew_(crew) {
      if (crew_.serves_ == Serves::its_call) before_ = crew_.enter();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
      if (crew_.serves_ == Serves::its_call) crew_.caller_.store(before_, std::memory_order_relaxed);
    }

   private:
    Crew& crew_;
    std::thread::id before_;
  };

  /// Throws what went wrong since this was asked last.
  void tell();

  /// Throws Error{invalid_argument} if it is at work: whoever calls is a part of that work.
  void require_rest() const;
  [[nodiscard]] bool at_work() const { return at_work_.load(std::memory_order_relaxed); }

  /// Is there anybody to share with, for the thread that asks?
  [[nodiscard]] bool several() const { return hands() != nullptr; }
  /// How many share work like this.
  [[nodiscard]] int threads_for(Count work) const {
    const Workers* const workers = hands();
    return workers == nullptr ? 1 : threads_for(work, *workers);
  }

  /// Calls copy(i, share) for each item i of the load: shared out if that pays, so that what is large is cut
  /// into as many parts as pays for it, and the parts go to the threads in turn.
  template <class Copy>
  void share(const Load& load, const Copy& copy) {
    const Workers* const workers = hands();
    const int threads = workers == nullptr ? 1 : threads_for(load.total(), *workers);
    if (threads > 1)
      return run(*workers, threads, [&](int thread) { do_part(load, {thread, threads}, *workers, copy); });
    for (std::size_t i = 0; i < load.works().size(); ++i) copy(i, Share{});
  }
  /// The same for one item that can be cut: copy(share).
  template <class Copy>
  void share(Count work, const Copy& copy) {
    const Workers* const workers = hands();
    const int threads = workers == nullptr ? 1 : threads_for(work, *workers);
    if (threads > 1) return run(*workers, threads, [&](int thread) { copy(Share{thread, threads}); });
    copy(Share{});
  }

 private:
  /// By a worker: it is told for whom, since it is not the thread that moves the exchange.
  template <class Copy>
  static void do_part(const Load& load, Share share, const Workers& workers, const Copy& copy) {
    int turn = 0;
    for (std::size_t i = 0; i < load.works().size(); ++i) {
      const int cuts = std::min(threads_for(load.works()[i], workers), share.of);
      const int mine = (share.number - turn + share.of) % share.of;
      if (mine < cuts) copy(i, Share{mine, cuts});
      turn = (turn + cuts) % share.of;
    }
  }
  template <class Work>
  void run(const Workers& workers, int parts, const Work& work) {
    run(workers, parts,
        WorkParts([](void* its_work, int part) { (*static_cast<const Work*>(its_work))(part); },
                  const_cast<Work*>(&work)));  // NOLINT(*-const-cast): const again where it is called
  }
  void run(const Workers& workers, int parts, const WorkParts& work);
  /// Those of the thread that asks; null if it is alone, which most are.
  [[nodiscard]] const Workers* hands() const {
    const bool none = serves_ == Serves::whoever_moves && !lent_ && usual_.width() <= 1;
    return none ? nullptr : chosen_hands();
  }
  [[nodiscard]] const Workers* chosen_hands() const;
  [[nodiscard]] static int threads_for(Count work, const Workers& workers);
  /// Is this thread the one that uses the exchange?
  [[nodiscard]] bool in_call() const {
    return serves_ != Serves::its_call ||
           caller_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }
  /// Returns who was in a call before: this thread, or nobody.
  std::thread::id enter() {
    const std::thread::id before = caller_.load(std::memory_order_relaxed);
    caller_.store(std::this_thread::get_id(), std::memory_order_relaxed);
    return before;
  }

  Serves serves_ = Serves::whoever_moves;
  bool anybodys_ = false;  ///< May any thread have the usual ones work?
  /// Another thread never finds itself here, however late it sees what is written.
  std::atomic<std::thread::id> caller_{};
  Workers usual_;
  // Of the thread in a call:
  std::optional<Workers> lent_;
  std::exception_ptr failed_;  ///< Until it is told; nobody is called before.
  std::atomic<bool> at_work_ = false;
};

/// As Crew::share(); without a crew whoever calls does it.
template <class Copy>
void share(Crew* crew, const Load& load, const Copy& copy) {
  if (crew != nullptr) return crew->share(load, copy);
  for (std::size_t i = 0; i < load.works().size(); ++i) copy(i, Share{});
}
template <class Copy>
void share(Crew* crew, Count work, const Copy& copy) {
  if (crew != nullptr) return crew->share(work, copy);
  copy(Share{});
}

/// With workers for as long as `work` lasts; then throws what went wrong with them.
template <class Work>
void with_workers(Crew& crew, const Workers& workers, const Work& work) {
  crew.lend(workers);
  try {
    work();
  } catch (...) {
    crew.give_back();
    throw;
  }
  crew.give_back();
  crew.tell();
}

}  // namespace halocline::exchange
