// SPDX-License-Identifier: BSD-3-Clause
// What it costs to get bytes off a device: prices by the names that a file of prices has for them.
#pragma once

#include "halocline/schedule/level_costs.hpp"

#include <array>

namespace halocline::plan {

/// A launch, the bytes that it moves, and how long both are under way besides. The numbers are of the size
/// seen on current GPUs, and hold where nobody has measured.
struct DevicePrices {
  /// By one kernel into the memory of another process on the same device.
  schedule::LinearCost straight{4e-6, 1 / 400e9, 8e-6};
  /// The same on another device of the node: what a link of 16 lanes of PCIe 4.0 lets through, four fifths of
  /// its 31.5 GB/s, and 2 us more until both ends have heard of each other. Others are faster.
  schedule::LinearCost linked{4e-6, 1 / 25e9, 10e-6};
  /// By one kernel into memory of the host, and by another one back.
  schedule::LinearCost staged{8e-6, 1 / 12e9, 16e-6};
};

/// What files call the three, in that order.
inline constexpr std::array device_levels{"device", "device-link", "device-host"};

/// Those that were measured on the machine, and default ones for the others.
[[nodiscard]] DevicePrices device_prices(const LevelCosts& costs);

}  // namespace halocline::plan
