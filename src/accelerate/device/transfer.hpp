// SPDX-License-Identifier: BSD-3-Clause
// Copies that one launch does: all fields, regions and neighbours of a halo.
#pragma once

#include "accelerate/device/device.hpp"
#include "accelerate/kernel/moves.hpp"

#include <vector>

namespace halocline::accelerate {

/// Words on devices that hear of the end of a launch, without another command of the host for it.
class News {
 public:
  /// For nobody.
  News() = default;
  News(Device& device, std::span<const Signal> words);

  [[nodiscard]] TileNews* get() const { return reinterpret_cast<TileNews*>(memory_.get()); }

 private:
  OwnMemory memory_;
};

/// Its table lies in memory of the device, so that a launch has small arguments.
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
  /// The same, and words get this value when it is done. @pre !empty(); no other launch that tells them is
  /// under way
  void launch(Stream stream, const News& news, std::uint64_t value) const;

 private:
  Device* device_ = nullptr;
  OwnMemory table_;
  Count tiles_ = 0, bytes_ = 0;
};

}  // namespace halocline::accelerate
