// SPDX-License-Identifier: BSD-3-Clause
// All that runs one exchange: its flows, their requests and their memory.
#pragma once

#include "exchange/neighborhood/blocks.hpp"
#include "exchange/neighborhood/context.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/ways/machinery_parts.hpp"

#include <memory>
#include <vector>

namespace halocline::exchange {

class Machinery {
 public:
  /// Collective over the node whenever it has several processes. Local otherwise.
  Machinery(NeighborhoodState& neighborhood, const Blocks& blocks, const Choice& choice);
  Machinery(const Machinery&) = delete;
  Machinery& operator=(const Machinery&) = delete;
  /// @pre nothing is under way
  ~Machinery();

  /// Was there the shared memory that the choice asks for? If not it cannot be used, on this node.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] bool shares_memory() const { return parts_.arena != nullptr; }

  /// What one start sends.
  [[nodiscard]] const ExchangeStatistics& traffic() const { return parts_.traffic; }
  /// Null unless times are taken.
  [[nodiscard]] const StartSignals* start_signals() const { return parts_.start_signals; }
  [[nodiscard]] double copy_seconds() const { return parts_.copying.seconds; }

  /// Does some of it lie on a device?
  [[nodiscard]] bool has_device() const { return parts_.device != nullptr; }
  /// Throws Error{invalid_argument} if the stream is not one of the device of this.
  void require_stream(accelerate::Stream stream) const;
  /// Throws Error{invalid_argument} if the default stream of its device, if it has one, is busy.
  void require_idle() const;
  /// The next start waits for what the stream has now. Throws as above.
  void begin_after(accelerate::Stream stream) const;
  /// Does the device do an exchange alone that is started on a stream? The same on all processes, but for
  /// those whose users say otherwise.
  [[nodiscard]] bool goes_on_stream() const { return stream_drives_; }
  /// Begins such an exchange, in the order of a stream. Throws as above. @pre goes_on_stream()
  void begin_on(accelerate::Stream stream);
  /// What the stream gets from now on sees what it did.
  void end_on(accelerate::Stream stream);
  /// Has the device done what it began? Waits for it, or looks.
  [[nodiscard]] bool device_done(bool waits);
  /// How many there were.
  [[nodiscard]] Count on_stream() const { return on_stream_; }
  void begin();
  /// Does nothing where it is called from within its own work.
  [[nodiscard]] bool advance();
  /// Who does its copies.
  [[nodiscard]] Crew& crew() { return parts_.crew; }

  /// Is it under way, with nothing left to do before a message of its own has come or gone?
  [[nodiscard]] bool needs_messages_only() const;
  /// Until one has. @pre needs_messages_only()
  void wait_for_message();

 private:
  /// With nothing in it yet. Once this is through, what building throws leaves by the destructor, which gives
  /// the arena back.
  explicit Machinery(std::shared_ptr<Context> context);

  void send_what_is_packed();

  std::shared_ptr<Context> context_;
  MachineryParts parts_;
  std::vector<Flow*> open_;  ///< Those that are not done, of the current start.
  std::uint64_t starts_ = 0;
  Count on_stream_ = 0;
  bool usable_ = true;
  bool stream_drives_ = false;
  bool asked_ = false;  ///< MPI, by who waited; advance() need not ask again.
};

}  // namespace halocline::exchange
