// SPDX-License-Identifier: BSD-3-Clause
// Something that goes on after its start, and what it is to those who move it.
#pragma once

#include <atomic>
#include <exception>

namespace halocline::exchange {

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

  /// Does nobody move it? Then all that was done for it is seen by who asks. Any thread may ask.
  [[nodiscard]] bool at_rest() const {
    return standing_.load(std::memory_order_acquire) == Standing::at_rest;
  }

 private:
  friend class Progress;
  friend class SharedProgress;

  /// Whoever moves something that is under way has taken it, and nobody else touches it meanwhile. What
  /// failed waits for the thread that it belongs to, which is told.
  enum class Standing : char { at_rest, under_way, taken, failed };

  std::atomic<Standing> standing_ = Standing::at_rest;
  std::exception_ptr failure_;
};

}  // namespace halocline::exchange
