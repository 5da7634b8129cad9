// SPDX-License-Identifier: BSD-3-Clause
// The one rule by which placements are preferred over each other.
#pragma once

#include "place/cost/cost.hpp"

#include <span>

namespace halocline::place {

/// The largest J_sum that can still be preferred to one of `j_sum`.
[[nodiscard]] Count acceptable(Count j_sum);

/// The number of the preferred one: least J_sum, then least J_max; except that a J_sum up to 3 % larger is
/// accepted for a J_max at most a quarter as large. @pre there is at least one
[[nodiscard]] std::size_t preferred(std::span<const LevelCost> costs);

}  // namespace halocline::place
