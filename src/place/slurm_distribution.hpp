// SPDX-License-Identifier: BSD-3-Clause
// Placements that Slurm has a word for: what need not be listed rank by rank is understood by every MPI.
#pragma once

#include "halocline/describe/machine.hpp"
#include "halocline/place/placement.hpp"

#include <string>

namespace halocline::place {

/// The value of srun's --distribution by which the program's ranks (its rank r owns cell r of the grid, row
/// by row) come together on nodes as the placement has them: block, cyclic or "plane=2"; empty if there is
/// none, also where nodes differ in size. Which node is which counts only with `by_name`. O(p) time.
[[nodiscard]] std::string slurm_distribution(const Placement& placement, const Machine& machine,
                                             bool by_name);

}  // namespace halocline::place
