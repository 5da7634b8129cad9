// SPDX-License-Identifier: BSD-3-Clause
// What an exchange is made of: things that begin together and go on side by side until all are done.
#pragma once

#include "exchange/progress/stopwatch.hpp"
#include "exchange/threads/crew.hpp"

namespace halocline::exchange {

class Flow {
 public:
  Flow() = default;
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;
  virtual ~Flow() = default;

  /// Once for each start. Does what need not wait for anyone.
  virtual void begin() = 0;
  /// Does what can be done now; never blocks. True once nothing of this start is left to do here.
  [[nodiscard]] virtual bool advance() = 0;

  /// Is there nothing it can wait for but requests of MPI?
  [[nodiscard]] virtual bool needs_messages_only() const { return false; }

  /// And nothing to do before all of them are complete?
  [[nodiscard]] virtual bool needs_all_messages() const { return false; }

  /// Where time spent on copying is added up; nowhere unless this is called.
  void time_copies(Stopwatch* stopwatch) { stopwatch_ = stopwatch; }
  /// Who does copies that are worth sharing; who moves it alone unless this is called.
  void share_copies(Crew& crew) { crew_ = &crew; }

 protected:
  [[nodiscard]] Crew* crew() const { return crew_; }
  [[nodiscard]] Stopwatch* stopwatch() const { return stopwatch_; }

 private:
  Stopwatch* stopwatch_ = nullptr;
  Crew* crew_ = nullptr;
};

}  // namespace halocline::exchange
