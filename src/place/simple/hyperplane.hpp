// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// The grid bisected along the dimension most orthogonal to the stencil, always into multiples of the node
/// size. Uneven nodes are treated as their mean, made to divide the grid. O(log N) a look-up.
[[nodiscard]] Placement hyperplane(const Problem& problem);

}  // namespace halocline::place
