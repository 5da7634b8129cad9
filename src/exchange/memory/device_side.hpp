// SPDX-License-Identifier: BSD-3-Clause
// What of an exchange lies on a device: copies that one kernel each does, and the memory between them and
// messages.
#pragma once

#include "accelerate/transfer.hpp"
#include "halocline/describe/grid.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halocline::exchange {

/// Bytes that go through messages are staged in memory of the host, as blocks of the exchange that no longer
/// know where they come from. The others go straight to where they belong, in this process or in another of
/// the node.
class DeviceSide {
 public:
  explicit DeviceSide(accelerate::Device& device) : device_(device), stream_(device) {}

  struct Target {
    Rank rank;
    Count bytes;
  };
  accelerate::OwnMemory sent = {}, received = {};       ///< The staging memory.
  accelerate::Transfer gather = {}, scatter = {};       ///< Between it and the fields.
  accelerate::Transfer push = {};                       ///< Straight, to all at once.
  Count own_bytes = 0;                                  ///< Of those, what stays in the process.
  std::vector<Target> fills = {};                       ///< Others of the node that they go to.
  std::vector<Rank> filled_by = {};                     ///< Those that write into this process's memory.
  std::vector<std::shared_ptr<std::byte>> opened = {};  ///< The memory of others, as long as it is needed.

  /// By which the streams of the processes wait for each other; none if they cannot.
  struct Words {
    using Signals = std::vector<accelerate::Signal>;
    accelerate::OwnMemory own = {};  ///< Those that this process waits for, at first 0.
    Signals opening = {};            ///< To say, to who fills it, that its halos may be written.
    Signals opened = {};             ///< The same, of those that it fills.
    Signals filling = {};            ///< To say, to those, that their halos are filled.
    Signals filled = {};             ///< The same, of who fills it.
  };
  std::optional<Words> words = {};  ///< The same for all processes of the exchange: some or none.

  ~DeviceSide();
  DeviceSide(const DeviceSide&) = delete;
  DeviceSide& operator=(const DeviceSide&) = delete;

  [[nodiscard]] accelerate::Device& device() const { return device_; }
  /// All of the exchange's work on the device.
  [[nodiscard]] accelerate::Stream stream() const { return stream_.get(); }

  /// Throws Error{invalid_argument} if the stream is one of another device.
  void require_own(accelerate::Stream users);
  /// All of an exchange, wholly on the device, on the user's own stream: the host waits for nothing. @pre
  /// words
  void start_on(accelerate::Stream users);
  /// The stream goes on when that is done, and so is what the others write here.
  void end_on(accelerate::Stream users);
  /// Is it done? Waits for it, or looks.
  [[nodiscard]] bool done(bool waits);
  /// Waits for what was left to streams, of which nobody here has heard the end.
  void settle();

  /// What is begun from now on waits for what the stream has now.
  void begin_after(accelerate::Stream users) const { device_.order(users, stream()); }
  /// Until what is sent lies in the staging memory.
  void collect() const;
  /// Begins to hand out what was received, once; true when all of it is in its place.
  [[nodiscard]] bool distribute();

 private:
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  bool distributing_ = false;
  std::uint32_t round_ = 0;                  ///< Of exchanges wholly on the device.
  std::optional<accelerate::Stream> known_;  ///< The last one that was found to be of the device.
  accelerate::Stream last_ = nullptr;        ///< On which the last exchange began.
  bool open_ = false;                        ///< Does no stream wait yet for what others write here?
  bool left_ = false;                        ///< To a stream, and not known to be done.
};

}  // namespace halocline::exchange
