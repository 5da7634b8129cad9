// SPDX-License-Identifier: BSD-3-Clause
// Who does the copies of an exchange: the thread that moves it, or it and others that were lent to it.
#pragma once

#include "halocline/exchange/executor.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
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
class Crew {
 public:
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// From now on, unless others are lent. Throws Error{invalid_argument} for fewer than one worker.
  void employ(const Workers& workers);
  /// For a time. Throws Error{invalid_argument} for fewer than one worker, or if some are.
  void lend(const Workers& workers);
  void give_back() { lent_.reset(); }
  /// Throws what went wrong since this was asked last.
  void tell();

  /// Throws Error{invalid_argument} if it is at work: whoever calls is a part of that work.
  void require_rest() const;
  [[nodiscard]] bool at_work() const { return at_work_.load(std::memory_order_relaxed); }

  /// Is there anybody to share with?
  [[nodiscard]] bool several() const { return workers().width() > 1 && !failed_; }
  /// How many share work like this.
  [[nodiscard]] int threads_for(Count work) const;

  /// Calls copy(i, share) for each item i of the load: shared out if that pays, so that what is large is cut
  /// into as many parts as pays for it, and the parts go to the threads in turn.
  template <class Copy>
  void share(const Load& load, const Copy& copy) {
    const int threads = threads_for(load.total());
    if (threads > 1) return run(threads, [&](int thread) { do_part(load, {thread, threads}, copy); });
    for (std::size_t i = 0; i < load.works().size(); ++i) copy(i, Share{});
  }
  /// The same for one item that can be cut: copy(share).
  template <class Copy>
  void share(Count work, const Copy& copy) {
    const int threads = threads_for(work);
    if (threads > 1) return run(threads, [&](int thread) { copy(Share{thread, threads}); });
    copy(Share{});
  }

 private:
  template <class Copy>
  void do_part(const Load& load, Share share, const Copy& copy) const {
    int turn = 0;
    for (std::size_t i = 0; i < load.works().size(); ++i) {
      const int cuts = std::min(threads_for(load.works()[i]), share.of);
      const int mine = (share.number - turn + share.of) % share.of;
      if (mine < cuts) copy(i, Share{mine, cuts});
      turn = (turn + cuts) % share.of;
    }
  }
  template <class Work>
  void run(int parts, const Work& work) {
    run(parts, WorkParts([](void* its_work, int part) { (*static_cast<const Work*>(its_work))(part); },
                         const_cast<Work*>(&work)));  // NOLINT(*-const-cast): const again where it is called
  }
  void run(int parts, const WorkParts& work);
  [[nodiscard]] const Workers& workers() const { return lent_ ? *lent_ : usual_; }

  Workers usual_;
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
