// SPDX-License-Identifier: BSD-3-Clause
// Straight from the fields of one process into the halos of others, on devices that reach each other's
// memory: one kernel for all of them. Who is written to says when that may be, and hears when it is done.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/memory/device_side.hpp"
#include "exchange/ways/way.hpp"

#include <memory>
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

/// Writes into the memory of all others as soon as all allow it.
class DevicePush : public Flow {
 public:
  DevicePush(std::shared_ptr<const DeviceSide> side, std::vector<FoundChannel> targets)
      : side_(std::move(side)), targets_(std::move(targets)) {}
  void begin() override { ++end_; }
  [[nodiscard]] bool advance() override;

 private:
  std::shared_ptr<const DeviceSide> side_;
  std::vector<FoundChannel> targets_;
  Channel::Chunk next_ = 0, end_ = 0;
  bool launched_ = false;
};

}  // namespace halocline::exchange
