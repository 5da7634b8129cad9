// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// The grid halved, again and again, across the dimension that is long and crossed by few messages.
/// Consecutive ranks get compact boxes, so a node of any size gets few outside neighbours. O(log p) a
/// look-up.
[[nodiscard]] Placement kd_tree(const Problem& problem);

}  // namespace halocline::place
