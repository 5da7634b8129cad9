// SPDX-License-Identifier: BSD-3-Clause
// Copies that one launch does: all fields, regions and neighbours of a halo.
#pragma once

#include "accelerate/device.hpp"
#include "accelerate/moves.hpp"

#include <vector>

namespace halocline::accelerate {

/// Its table lies in memory of the device, so that a launch has one small argument.
class Transfer {
 public:
  /// Of nothing.
  Transfer() = default;
  /// Memory of the moves must live as long as it is launched.
  Transfer(Device& device, const std::vector<Move>& moves);

  [[nodiscard]] bool empty() const { return tiles_ == 0; }
  [[nodiscard]] Count bytes() const { return bytes_; }
  /// Does nothing if it is empty.
  void launch(Stream stream) const;

 private:
  Device* device_ = nullptr;
  OwnMemory table_;
  Count tiles_ = 0, bytes_ = 0;
};

}  // namespace halocline::accelerate
