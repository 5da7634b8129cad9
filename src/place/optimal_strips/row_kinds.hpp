// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "place/cost/steps_on_grid.hpp"
#include "place/optimal_strips/strip_walk.hpp"

#include <set>
#include <vector>

namespace halocline::place {

/// The kinds of rows that are worth a try for this order of dimensions: stairs along the stencil's diagonals
/// at every level, or between the strips of a slab only; each level, or climbing. One kind, plain and level,
/// if the stencil does not lean to a side.
[[nodiscard]] std::set<Rows> kinds_of_rows(const Steps& steps, const std::vector<std::size_t>& order);

}  // namespace halocline::place
