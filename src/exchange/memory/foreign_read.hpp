// SPDX-License-Identifier: BSD-3-Clause
// The system call behind foreign_memory.hpp. The simulated processes of src/simulate have one of their own.
#pragma once

#include "halocline/describe/layout.hpp"

#include <span>

namespace halocline::exchange {

/// By which other processes name this one to foreign_read().
[[nodiscard]] Count this_process();

/// Copies from places of a process to places of this one; how many bytes, less than all if the rest cannot be
/// read, or -1. @pre both lists have as many places, 1024 at most, each as long as the other
[[nodiscard]] Count foreign_read(Count process, std::span<const Segment> from, std::span<const Segment> to);

}  // namespace halocline::exchange
