// SPDX-License-Identifier: BSD-3-Clause
// Regularity in a list of runs: progressions, progressions of progressions, repeated groups.
#pragma once

#include "compile/form/nest.hpp"

#include <span>

namespace halocline::compile {

/// The loops that the list begins with around its first `group` runs, each as long as it can be; returns how
/// many runs they cover, `group` at least. `nest` gets the loops, the offset of the first run and, as its
/// block, the length of the first run. @pre 0 < group <= runs.size()
[[nodiscard]] std::size_t leading_nest(std::span<const Segment> runs, std::size_t group, Nest& nest);

}  // namespace halocline::compile
