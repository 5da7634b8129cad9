// SPDX-License-Identifier: BSD-3-Clause
// The choice of a grid for those who do not ask what it costs.
#pragma once

#include "plan/placement/grid_choice.hpp"

namespace halocline::plan {

/// As choose_grid; the cost has no levels.
[[nodiscard]] GridChoice choose_uncosted_grid(const MeshProblem& problem, const GridOptions& options);

}  // namespace halocline::plan
