// An executor that knows whose it is.
#pragma once

#include "halocline/exchange/executor.hpp"

#include <atomic>
#include <thread>

namespace halocline {

/// Runs parts in the thread that calls, the last one first. Counts as wrong what must never be: that it is
/// used by another thread than the one that it is lent to, by none, or by two at once.
class Watched {
 public:
  /// As long as it lives, it is lent to this thread.
  class Lent {
   public:
    explicit Lent(Watched& watched) : watched_(watched) { watched_.lent_to_ = std::this_thread::get_id(); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    ~Lent() { watched_.lent_to_ = std::thread::id(); }

   private:
    Watched& watched_;
  };

  [[nodiscard]] static int width() { return 3; }
  [[nodiscard]] static Count least_bytes() { return 1; }
  void run(int tasks, const WorkParts& task) {
    if (lent_to_ != std::this_thread::get_id() || inside_.exchange(true)) ++wrong_;
    ++calls_;
    for (int part = tasks; part-- > 0;) {
      task(part);
      if (part == tasks / 2) std::this_thread::yield();  // if another one would come, he would come now
    }
    inside_ = false;
  }

  [[nodiscard]] int calls() const { return calls_; }
  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  std::atomic<std::thread::id> lent_to_{};
  std::atomic<bool> inside_ = false;
  std::atomic<int> calls_ = 0, wrong_ = 0;
};

}  // namespace halocline
