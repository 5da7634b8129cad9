// SPDX-License-Identifier: BSD-3-Clause
// What of an exchange lies on a device: copies that one kernel each does, and the memory between them and
// messages.
#pragma once

#include "accelerate/device/transfer.hpp"
#include "exchange/memory/device_batches.hpp"
#include "exchange/memory/device_loan.hpp"
#include "halocline/describe/grid.hpp"
#include "plan/transport/transport_choice.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::exchange {

/// Bytes that go through messages are staged, in memory of the host or, for an MPI that takes them from
/// there, of the device, as blocks of the exchange that no longer know where they come from. The others go
/// straight to where they belong, in this process or in another of the node.
class DeviceSide {
 public:
  DeviceSide(accelerate::Device& device, const plan::DeviceChoice& choice)
      : choice_(choice), device_(device), stream_(device) {}

  struct Target {
    Rank rank;
    Count bytes;
  };
  accelerate::OwnMemory sent = {}, received = {};  ///< The staging memory.
  std::unique_ptr<DeviceLoan> loan = {};           ///< What processes of the node have opened for each other.
  DeviceGathers gathers = {};                      ///< From the fields to the staging memory,
  DeviceScatters scatters = {};                    ///< and back.
  accelerate::Transfer unpack = {};                ///< From where others of the node have written.
  accelerate::Transfer push = {};                  ///< Straight, to all at once.
  bool everywhere = false;         ///< All fields of all processes lie on devices: what is staged is alike.
  bool overlaps = false;           ///< Messages are sent, and unpacked, while others are packed or under way.
  Count own_bytes = 0;             ///< Of those, what stays in the process.
  std::vector<Target> fills = {};  ///< Others of the node that they go to.
  std::vector<Rank> filled_by = {};  ///< Those that write into this process's memory.

  /// By which the streams of the processes wait for each other; none if they cannot.
  struct Words {
    using Signals = std::vector<accelerate::Signal>;
    Signals opening = {};        ///< To say, to who fills it, that its halos may be written.
    Signals opened = {};         ///< The same, of those that it fills.
    Signals filling = {};        ///< To say, to those, that their halos are filled.
    Signals filled = {};         ///< The same, of who fills it.
    accelerate::News news = {};  ///< To those of `filling`.
    Count sharing = 1;           ///< Of processes that exchange with one of them, the most on its device.
  };
  std::optional<Words> words = {};  ///< The same for all processes of the exchange: some or none.

  ~DeviceSide();
  DeviceSide(const DeviceSide&) = delete;
  DeviceSide& operator=(const DeviceSide&) = delete;

  /// The same on all processes.
  [[nodiscard]] const plan::DeviceChoice& choice() const { return choice_; }
  [[nodiscard]] accelerate::Device& device() const { return device_; }
  /// All of the exchange's work on the device.
  [[nodiscard]] accelerate::Stream stream() const { return stream_.get(); }

  /// Throws Error{invalid_argument} if the stream is one of another device.
  void require_own(accelerate::Stream users);
  /// The number of the exchange that begins now, from 0, whoever drives it: the same on all processes.
  std::uint64_t begin_round() { return round_++; }
  /// All of the exchange that has begun, wholly on the device, on the user's own stream: the host waits for
  /// nothing. @pre words
  void start_on(accelerate::Stream users);
  /// The stream goes on when that is done, and so is what the others write here.
  void end_on(accelerate::Stream users);
  /// Is it done? Waits for it, or looks.
  [[nodiscard]] bool done(bool waits);
  /// Waits for what was left to streams, of which nobody here has heard the end.
  void settle();

  /// Ends what was begun: waits for all that was left to streams.
  void end() noexcept;

  /// What is begun from now on waits for what the stream has now.
  void begin_after(accelerate::Stream users);
  /// Has the stream that it began after come there? Until then the user's work may still read halos.
  [[nodiscard]] bool ready();
  /// Throws Error{invalid_argument} if the default stream has work that goes on for a while. Takes
  /// microseconds, and more where processes share the device.
  void require_idle();
  /// Begins to pack what is sent. It lies in the staging memory when it returns, or if that overlaps once it
  /// is packed().
  void collect();
  [[nodiscard]] bool packed() { return gathers.all_packed(); }
  [[nodiscard]] bool packed(Rank target) { return gathers.packed(target); }
  /// All that a process sends by messages is in the staging memory: it may be handed out.
  void arrived(Rank source) { scatters.arrived(source, stream()); }
  /// Begins to hand out what was received, once; true when all of it is in its place.
  [[nodiscard]] bool distribute();

 private:
  void change_streams(accelerate::Stream users);

  plan::DeviceChoice choice_;
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  bool distributing_ = false;
  bool behind_users_ = false;                ///< Does the stream wait for another than the default one?
  std::uint64_t round_ = 0;                  ///< Of the next exchange.
  std::optional<accelerate::Stream> known_;  ///< The last one that was found to be of the device.
  accelerate::Stream last_ = nullptr;        ///< On which the last exchange began.
  bool open_ = false;                        ///< Does no stream wait yet for what others write here?
  bool left_ = false;                        ///< To a stream, and not known to be done.
  bool alternates_ = false;  ///< Do rounds begin on several streams? Then the own one follows each end.
};

}  // namespace halocline::exchange
