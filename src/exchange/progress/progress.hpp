// SPDX-License-Identifier: BSD-3-Clause
// What of ours is under way in this process. Whoever waits for one operation moves all of them, as MPI does:
// otherwise two processes that wait for two operations in different order would wait forever.
#pragma once

#include "mpi/handles/call.hpp"

#include <memory>
#include <vector>

namespace halocline::exchange {

/// Something that goes on after its start.
class Active {
 public:
  Active() = default;
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;
  virtual ~Active() = default;
  /// Does what can be done now. True once it is complete.
  virtual bool advance() = 0;
  [[nodiscard]] virtual bool complete() const = 0;
  /// Is there nothing to be done for it but to let MPI wait?
  [[nodiscard]] virtual bool needs_messages_only() const = 0;
  /// Waits in MPI for a message of its own. @pre needs_messages_only()
  virtual void wait_for_message() = 0;
};

/// A request that never completes: to test it makes any MPI work on whatever it has to do in this process.
/// (To look for messages would not do: MPICH looks on MPI_COMM_SELF without working, and both stop at once
/// where one waits.)
class MpiWork {
 public:
  MpiWork();
  MpiWork(const MpiWork&) = delete;
  MpiWork& operator=(const MpiWork&) = delete;
  ~MpiWork();
  void go_on();

 private:
  MPI_Request never_ = MPI_REQUEST_NULL;
};

class Progress {
 public:
  /// That of this process; it hangs on MPI_COMM_SELF.
  [[nodiscard]] static std::shared_ptr<Progress> of_process();

  Progress();

  void add(Active& operation) { active_.push_back(&operation); }
  void remove(Active& operation) { std::erase(active_, &operation); }

  /// Ranks that outnumber the cores do not spin at all: who they wait for may need theirs.
  void expect_processes(std::size_t on_this_node);

  /// Moves everything once, MPI included, and tells whether `operation` is complete. Spins for a moment only:
  /// when it was asked in vain for a while, others get the core each time, since ranks may outnumber cores.
  bool test(const Active& operation);
  void wait(const Active& operation);
  /// Waits for a request of MPI's, with all that is under way here moving: others may need that before they
  /// come to where it is completed.
  void wait(MPI_Request request);

 private:
  bool move(const Active& operation);
  void advance_all();
  /// May this process wait inside MPI, where nothing of ours goes on?
  [[nodiscard]] bool may_block() const;
  void give_way();

  MpiWork mpi_;
  int vain_turns_ = 0;
  int spins_;
  std::vector<Active*> active_;
};

}  // namespace halocline::exchange
