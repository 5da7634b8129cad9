// SPDX-License-Identifier: BSD-3-Clause
// What a halo exchange is to a plan.
#pragma once

#include "halo/points/filling.hpp"
#include "halocline/plan/plan.hpp"

#include <vector>

namespace halocline::halo {

/// Halos of these fields, filled like that. Fields that have the same widths on both sides are
/// halos of a mesh as plans know them; of others it says how many bytes go along each offset.
[[nodiscard]] plan::Problem problem_of(const Decomposition& decomposition, const Filling& filling,
                                       const std::vector<FieldView>& fields, const Machine& machine);

}  // namespace halocline::halo
