// SPDX-License-Identifier: BSD-3-Clause
// What was taken over and what was left to the system, and why: told once, by rank 0, when MPI_Finalize is
// called and HALOCLINE_LOG asks for it. Calls that pass by at no cost otherwise are counted then, too.
#pragma once

#include "halocline/base/count.hpp"

#include <mpi.h>

#include <atomic>
#include <string>

namespace halocline::preload {

/// The calls of one MPI function. Any thread may count.
class Tally {
 public:
  explicit Tally(const char* call) : call_(call) {}

  /// Bytes are those that are sent, or that there is room for in a receive.
  void take(Count bytes = 0) {
    taken_.fetch_add(1, std::memory_order_relaxed);
    taken_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  /// Left to the system, because of that. @pre `why` is a literal
  void leave(const char* why, Count bytes = 0);

 private:
  friend class Journal;
  const char* call_;
  std::atomic<Count> taken_ = 0, taken_bytes_ = 0;
};

/// That of a function, from C and from Fortran; lives as long as the process. @pre `call` is a literal
[[nodiscard]] Tally& tally_of(const char* call);

/// One line more for the summary.
void note(std::string line);

/// Counts the message of a call: taken over, or left to the system because of that. Without a summary, left
/// ones cost nothing.
void count_message(Tally& tally, bool is_taken, const char* why_not, int count, MPI_Datatype type);

/// Will there be a summary? Read once.
[[nodiscard]] bool is_logged();
/// There will be one even if nothing is counted. @pre MPI is initialised
void expect_the_end();

/// What blocks went through instead of the system's collectives.
struct BlockCounts {
  std::atomic<Count> through_memory = 0, as_messages = 0, copied = 0;
};
[[nodiscard]] BlockCounts& block_counts();

}  // namespace halocline::preload
