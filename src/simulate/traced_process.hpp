// SPDX-License-Identifier: BSD-3-Clause
// What a simulated rank of a traced program does: it sends its messages at once, and waits for those of
// others.
#pragma once

#include "simulate/traced_round.hpp"

#include <simgrid/s4u/Barrier.hpp>

#include <cstddef>
#include <vector>

namespace halocline::simulate {

/// What the ranks, which share an address space and take turns, have in common.
class TracedStage {
 public:
  explicit TracedStage(const TracedRound& round);

  [[nodiscard]] const plan::MessageMatrix& messages() const { return round_.messages; }

  struct Incoming {
    int rank;
    int bytes;
  };
  [[nodiscard]] const std::vector<Incoming>& incoming_of(std::size_t rank) const { return incoming_[rank]; }
  /// Room for the longest message, which nobody looks at.
  [[nodiscard]] std::byte* room() { return room_.data(); }

  /// All begin at one simulated instant.
  void begin();
  /// A rank has sent and received all.
  void arrive();
  /// Until the last rank was done.
  [[nodiscard]] double seconds() const { return end_ - start_; }

 private:
  const TracedRound& round_;
  std::vector<std::vector<Incoming>> incoming_;
  std::vector<std::byte> room_;
  simgrid::s4u::BarrierPtr barrier_;
  double start_ = 0, end_ = 0;
};

/// The life of that rank, from MPI_Init to MPI_Finalize.
void run_traced_process(TracedStage& stage, Rank rank);

}  // namespace halocline::simulate
