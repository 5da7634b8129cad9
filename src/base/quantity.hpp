// SPDX-License-Identifier: BSD-3-Clause
// Numbers with a unit, as in "300 ns", "12.5 GB/s" and "64KiB".
#pragma once

#include "base/scanner.hpp"

#include <array>
#include <string_view>

namespace halocline {

struct Unit {
  std::string_view name;
  double factor;
};
inline constexpr std::array time_units{Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1}};

// Each reads a number and its unit, with or without a blank between them, and refuses another unit.

/// In one of time_units; not negative.
[[nodiscard]] double scan_seconds(Scanner& scan);
/// In B/s, GB/s, GiB/s, Gbit/s and the like; positive.
[[nodiscard]] double scan_bytes_per_second(Scanner& scan);
/// Without a unit or in B, kB, KiB, MB, MiB and the like; at least 1.
[[nodiscard]] Count scan_bytes(Scanner& scan);

}  // namespace halocline
