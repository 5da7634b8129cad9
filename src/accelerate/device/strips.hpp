// SPDX-License-Identifier: BSD-3-Clause
// Packing and unpacking on a device, one launch for as much as there is, for callers that come again and
// again with the same.
#pragma once

#include "accelerate/device/device.hpp"
#include "halocline/compile/packer.hpp"

#include <span>

namespace halocline::accelerate {

/// Bytes at places that a device reaches, and the same side by side, on the device or in memory that it
/// pinned.
struct Strip {
  compile::Packer packer;
  std::byte* base;  ///< Where its offset 0 lies.
  std::byte* wire;
  Count bytes;  ///< From the beginning of the packed stream: all of it, or fewer.
};

enum class StripDirection { pack, unpack };

/// Is done when it returns. Tables of the last ones are kept, so that the same strips cost a launch. What was
/// launched on the default stream comes before. Any thread may call it. Throws as Device, and as tiles_of().
/// @pre no byte is unpacked to by two
void move_strips(Device& device, StripDirection direction, std::span<const Strip> strips);

/// A plain copy in the same way.
void copy_now(Device& device, std::byte* to, const std::byte* from, Count bytes);

}  // namespace halocline::accelerate
