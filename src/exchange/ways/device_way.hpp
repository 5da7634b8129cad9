// SPDX-License-Identifier: BSD-3-Clause
// Straight from the fields of one process into the halos of others, on devices that reach each other's
// memory: one kernel for all of them. Who is written to says when that may be, and hears when it is done.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/memory/device_door.hpp"
#include "exchange/memory/device_side.hpp"
#include "exchange/ways/way.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halocline::exchange {

class DeviceCopies : public Way {
 public:
  /// @pre some of the blocks lie on a device
  explicit DeviceCopies(const Site& site) : Way(site) {}
  void plan(ArenaPlan& arena) const override;
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  [[nodiscard]] const DeviceSide& side() const { return *blocks().device; }
};

/// Lets others write into the memory of this process, and writes into theirs as soon as all allow it. The
/// others may leave the same round to their streams: this one talks to those by its own.
class DevicePush : public Flow {
 public:
  using RoundNumber = DeviceDoor::RoundNumber;
  struct Target {
    DeviceDoor door;
    int number;  ///< Of this process among those that write there.
  };
  /// The door of this process, if others write here; those that it fills, in the order of the side.
  DevicePush(std::shared_ptr<DeviceSide> side, std::optional<DeviceDoor> own, std::vector<Target> targets);

  void begin() override;
  [[nodiscard]] bool advance() override;
  /// Tells all others that this process does a round on a stream.
  void leave_to_stream(RoundNumber round) const;

 private:
  using Driver = DeviceDoor::Driver;
  using Signals = std::vector<accelerate::Signal>;

  [[nodiscard]] bool open();
  /// Notes by whom the others fill, as far as they have told, and lets streams do so.
  [[nodiscard]] bool know_writers();
  [[nodiscard]] bool launch();
  [[nodiscard]] bool tell_targets();
  [[nodiscard]] bool filled_by_streams();
  [[nodiscard]] accelerate::Signal of_round(accelerate::Signal signal) const {
    signal.value = round_ + 1;
    return signal;
  }

  std::shared_ptr<DeviceSide> side_;
  std::optional<DeviceDoor> own_;
  std::vector<Target> targets_;

  // Of the current round.
  RoundNumber round_ = 0;
  bool opened_ = true, launched_ = true, told_ = true;
  std::vector<int> unknown_;           ///< Writers that have not told whether they have filled, or who will.
  Signals awaited_;                    ///< From streams that fill this process.
  bool awaiting_ = false;              ///< Does the own stream wait for those?
  std::vector<std::size_t> unopened_;  ///< Targets that have not told who opens.
  std::vector<std::size_t> by_host_;   ///< Those whose hosts wait.
  Signals opened_there_, filled_there_;  ///< Of those whose streams do.
};

}  // namespace halocline::exchange
