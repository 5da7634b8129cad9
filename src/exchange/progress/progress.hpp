// SPDX-License-Identifier: BSD-3-Clause
// What of ours is under way in this process. Whoever waits for one operation moves all of them, as MPI does:
// otherwise two processes that wait for two operations in different order would wait forever.
#pragma once

#include "exchange/progress/active.hpp"
#include "exchange/progress/mpi_work.hpp"
#include "exchange/progress/shared_progress.hpp"

#include <memory>
#include <vector>

namespace halocline::exchange {

/// To be used by one thread at a time, unless several may call MPI: then all is left to a SharedProgress.
class Progress {
 public:
  /// That of this process; it hangs on MPI_COMM_SELF.
  [[nodiscard]] static std::shared_ptr<Progress> of_process();

  Progress();

  /// For who begins an operation: until this goes nobody else moves it.
  class Beginning {
   public:
    /// In the list already: what has begun must come to an end, even if something fails meanwhile.
    Beginning(Progress& progress, Active& operation) : progress_(progress), operation_(operation) {
      progress.begin(operation);
    }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;
    ~Beginning() { progress_.begun(operation_, complete_); }
    void is_complete() { complete_ = true; }

   private:
    Progress& progress_;
    Active& operation_;
    bool complete_ = false;
  };
  void add(Active& operation) { const Beginning now(*this, operation); }
  void remove(Active& operation) {
    if (shared_) return shared_->remove(operation);
    std::erase(active_, &operation);
    operation.standing_.store(Active::Standing::at_rest, std::memory_order_relaxed);
  }

  /// Looks at an operation while nobody moves it. @pre this thread does not move it either
  template <class Look>
  void hold(Active& operation, const Look& look) {
    if (!shared_ || !SharedProgress::take(operation)) return look();
    struct Held {
      SharedProgress& progress;
      Active& operation;
      ~Held() { progress.release(operation, false); }
    } const held{*shared_, operation};
    look();
  }

  /// Ranks that outnumber the cores do not spin at all: who they wait for may need theirs.
  void expect_processes(std::size_t on_this_node);

  /// Moves everything once, MPI included, and tells whether `operation` is complete. Spins for a moment only:
  /// when it was asked in vain for a while, others get the core each time, since ranks may outnumber cores.
  bool test(Active& operation);
  void wait(Active& operation);
  /// Waits for a request of MPI's, with all that is under way here moving: others may need that before they
  /// come to where it is completed.
  void wait(MPI_Request request);

  /// Of several threads; null if there is one.
  [[nodiscard]] const std::shared_ptr<SharedProgress>& shared() const { return shared_; }

 private:
  void begin(Active& operation) {
    if (shared_) return shared_->begin(operation);
    active_.push_back(&operation);
    operation.standing_.store(Active::Standing::under_way, std::memory_order_relaxed);
  }
  void begun(Active& operation, bool complete) noexcept {
    if (shared_) return shared_->release(operation, complete);
    if (complete) remove(operation);
  }
  bool move(Active& operation);
  void advance_all();
  /// May this process wait inside MPI, where nothing of ours goes on?
  [[nodiscard]] bool may_block() const;
  void give_way();

  MpiWork mpi_;
  int vain_turns_ = 0;
  int spins_;
  std::vector<Active*> active_;
  std::shared_ptr<SharedProgress> shared_;
};

}  // namespace halocline::exchange
