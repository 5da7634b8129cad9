// SPDX-License-Identifier: BSD-3-Clause
// The best cut of a grid as a list of parts, once the search for it has ended.
#pragma once

#include "place/optimal_strips/slab.hpp"

namespace halocline::place {

/// A plan and all inside it, each once, outer ones before those inside them.
[[nodiscard]] std::vector<StripPlan::Intervals> numbered_parts(const SubPlan& plan);

/// The least number of cells in a strip of the plan; extents by level.
[[nodiscard]] Count smallest_strip(const StripPlan& plan, const Counts& extents);

}  // namespace halocline::place
