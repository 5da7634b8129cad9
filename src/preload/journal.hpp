// What was taken over and what was left to the system, and why: told once, by rank 0, when MPI_Finalize is
// called and HALOCLINE_LOG asks for it.
#pragma once

#include "halocline/base/count.hpp"

#include <atomic>
#include <string>

namespace halocline::preload {

/// The calls of one MPI function. Any thread may count.
class Tally {
 public:
  explicit Tally(const char* call) : call_(call) {}

  void take() { taken_.fetch_add(1, std::memory_order_relaxed); }
  /// Left to the system, because of that. @pre `why` is a literal
  void leave(const char* why);

 private:
  friend class Journal;
  const char* call_;
  std::atomic<Count> taken_ = 0;
};

/// That of a function, from C and from Fortran; lives as long as the process. @pre `call` is a literal
[[nodiscard]] Tally& tally_of(const char* call);

/// One line more for the summary.
void note(std::string line);

/// What blocks went through instead of the system's collectives.
struct Traffic {
  std::atomic<Count> through_memory = 0, as_messages = 0, copied = 0;
};
[[nodiscard]] Traffic& traffic();

}  // namespace halocline::preload
