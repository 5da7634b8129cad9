// Numbers with a unit, as in "300 ns", "12.5 GB/s" and "64KiB".
#pragma once

#include "base/scanner.hpp"

namespace halocline {

// Each reads a number and its unit, with or without a blank between them, and refuses another unit.

/// In ns, us, ms or s; not negative.
[[nodiscard]] double scan_seconds(Scanner& scan);
/// In B/s, GB/s, GiB/s, Gbit/s and the like; positive.
[[nodiscard]] double scan_bytes_per_second(Scanner& scan);
/// Without a unit or in B, kB, KiB, MB, MiB and the like; at least 1.
[[nodiscard]] Count scan_bytes(Scanner& scan);

}  // namespace halocline
