// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// Each node a box, all boxes alike: the factorization of the node size that divides the grid and leaves the
/// smallest surface. Where there is none, or nodes are uneven: blocked. O(d) a look-up.
[[nodiscard]] Placement nodecart(const Problem& problem);

}  // namespace halocline::place
