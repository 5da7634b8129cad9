// SPDX-License-Identifier: BSD-3-Clause
// How the messages of a plan look in memory.
#pragma once

#include "halocline/plan/plan.hpp"
#include "plan/prediction/prediction.hpp"

namespace halocline::plan {

/// One entry for each set of dimensions along which an offset of the stencil has a component, in the order of
/// the stencil, 16 at most. The array is that of the process with the largest share, rows last, with its
/// halo around it.
[[nodiscard]] std::vector<Packing> packing_of(const Placed& placed);

}  // namespace halocline::plan
