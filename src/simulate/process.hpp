// SPDX-License-Identifier: BSD-3-Clause
// What one simulated process does: the exchanges of the job by the library's own engine, timed by the
// simulated clock, with every byte that arrives looked at.
#pragma once

#include "simulate/job.hpp"

#include <simgrid/s4u/Barrier.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace halocline::simulate {

/// What the processes, which share an address space and take turns, have in common.
class Stage {
 public:
  /// `tell` is called with each result as it comes, `progress` with each new percentage of the run.
  Stage(const Job& job, std::function<void(const Result&)> tell, std::function<void(int)> progress);

  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] const LevelCosts& prices() const { return prices_; }

  /// How large blocks are with that size of the job.
  [[nodiscard]] const BlockTable& table(Count bytes) const { return tables_.at(bytes); }
  /// Does each process get blocks of its own with that size of the job? If not asked for, or without the
  /// memory, all send from and receive into the same one. Throws Error{out_of_memory} if there is none for
  /// what the schedule keeps under way.
  [[nodiscard]] bool blocks_fit(const std::string& schedule, Count bytes) const;
  [[nodiscard]] std::byte* common_block();

  /// All processes leave at one simulated instant, which takes no simulated time.
  void meet() { (void)barrier_->wait(); }
  /// A process is done now.
  void arrive();
  /// Of all processes, tells the result and forgets it. One calls it, while no other runs an exchange.
  void tell(const std::string& schedule, Count bytes, bool checked);
  void begin_clock();
  /// A process has gone one of its steps.
  void step();
  /// Of a process: into the world, to its neighbours, and for each exchange its creation and its end.
  [[nodiscard]] static Count steps(const Job& job);

 private:
  /// The bytes of one process, at most: its blocks, and what a schedule keeps under way beside them.
  struct Memory {
    double own = 0, under_way = 0;
  };
  [[nodiscard]] static Memory memory_of(const Job& job, const std::string& schedule, const Counts& blocks);

  const Job& job_;
  Placement placement_;
  LevelCosts prices_;
  std::function<void(const Result&)> tell_;
  std::function<void(int)> progress_;
  simgrid::s4u::BarrierPtr barrier_;
  std::map<Count, BlockTable> tables_;  ///< By size of the job.
  std::map<std::pair<std::string, Count>, Memory> memory_;
  std::vector<std::byte> common_;  ///< Empty until somebody needs it.
  std::size_t common_bytes_ = 0;   ///< Of the largest block of all.
  double start_ = 0, end_ = 0;
  Count steps_done_ = 0;
  int percent_ = 0;
};

/// The life of the process on that cell, whose number is its rank, from MPI_Init to MPI_Finalize. Throws
/// Error, with Error{internal} for a byte that is wrong.
void run_process(Stage& stage, Rank cell);

}  // namespace halocline::simulate
