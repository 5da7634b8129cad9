// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// Ranks scattered over the cells, the same way for the same seed: the yardstick for "no order at all".
/// A look-up takes O(1) on average and the plan no memory.
[[nodiscard]] Placement random(const Problem& problem);

}  // namespace halocline::place
