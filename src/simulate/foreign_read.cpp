// SPDX-License-Identifier: BSD-3-Clause
// The simulated answer to exchange/memory/foreign_read.hpp: all processes live in one address space.

#include "exchange/memory/foreign_read.hpp"
#include "base/numbers.hpp"

#include <cstring>

namespace halocline::exchange {

Count this_process() { return 0; }

Count foreign_read(Count /*process*/, std::span<const Segment> from, std::span<const Segment> to) {
  Count copied = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): they were pointers
    std::memcpy(reinterpret_cast<void*>(to[i].offset), reinterpret_cast<const void*>(from[i].offset),
                to_size(from[i].bytes));
    copied += from[i].bytes;
  }
  return copied;
}

}  // namespace halocline::exchange
