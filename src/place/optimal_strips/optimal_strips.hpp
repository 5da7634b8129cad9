// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/cost/contest.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// Strips of varying widths, walked as a snake, whose widths keep the most messages inside the nodes: found
/// by dynamic programming, for every order of the dimensions. Node sizes may be uneven and are kept exactly.
/// Planning takes microseconds to milliseconds (bench/place), memory O(strips), a look-up O(d log strips).
[[nodiscard]] Placement optimal_strips(const Problem& problem);

/// The same with what planning found out about its cost.
[[nodiscard]] Rated rated_optimal_strips(const Problem& problem);

}  // namespace halocline::place
