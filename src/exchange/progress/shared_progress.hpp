// SPDX-License-Identifier: BSD-3-Clause
// What is under way in a process of several threads. Each thread that waits moves all of it, as one thread
// would alone, but for what another one has just taken. No lock is held while something moves, or in MPI: so
// threads pack side by side, and none waits for another that waits for other processes.
#pragma once

#include "exchange/progress/active.hpp"
#include "exchange/progress/mpi_work.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace halocline::exchange {

/// Pauses before others get the core.
inline constexpr int spins_of_a_core = 100;

/// Any thread may call anything. An operation belongs to one thread at a time: it alone begins it, tests it,
/// waits for it and removes it, and what its moves threw, whoever moved it, is thrown there.
class SharedProgress {
 public:
  SharedProgress() = default;

  /// In the list, and taken by the caller until release().
  void begin(Active& operation);
  /// Others may move it, or it is complete. The last thing that is done to it.
  void release(Active& operation, bool complete) noexcept;
  /// Waits for who has it. False if nobody will move it before its owner does something: it is at rest, or
  /// failed.
  [[nodiscard]] static bool take(Active& operation);
  /// Waits for who has it.
  void remove(Active& operation);

  void expect_processes(std::size_t on_this_node);

  bool test(Active& operation);
  void wait(Active& operation);
  void wait(MPI_Request request);

  /// For a thread of the library: until there is something to move, and nobody waits, who would do so. False
  /// if it is to end.
  [[nodiscard]] bool wait_for_work();
  /// Moves everything once, MPI included.
  void work();
  /// From now on wait_for_work() tells it to end.
  void end_work();
  /// Whether it gets any work meanwhile: it does, unless somebody compares.
  void employ(bool wanted);
  /// Processes of this node, of the communicator that has most.
  [[nodiscard]] std::size_t processes() const { return processes_.load(std::memory_order_relaxed); }

 private:
  /// Makes a thread of the library stand back.
  class Waiting;

  /// One that is to be moved: the caller has taken it. Null if there is none at `place`, or another has it.
  Active* take(std::size_t place);
  void move(Active& operation) noexcept;
  void move_all();
  /// Throws what was thrown by its moves.
  [[nodiscard]] static bool is_done(Active& operation);
  void let_mpi_work();
  void give_way(int vain_turns);

  std::mutex list_;  ///< For a look or an entry, never for a move.
  std::vector<Active*> active_;
  std::condition_variable work_;
  bool ended_ = false, employed_ = true;
  std::atomic<bool> has_thread_ = false;  ///< Does one of the library look for work?
  std::atomic<int> waiting_ = 0;          ///< Threads that do.
  std::atomic<std::size_t> processes_ = 1;
  std::mutex mpi_in_use_;
  MpiWork mpi_;
};

}  // namespace halocline::exchange
