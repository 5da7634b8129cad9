// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// Strips about as wide as a node is, walked as a snake along the longest dimension. Uneven nodes are treated
/// as their mean. O(d) a look-up.
[[nodiscard]] Placement strips(const Problem& problem);

}  // namespace halocline::place
