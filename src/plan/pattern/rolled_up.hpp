// SPDX-License-Identifier: BSD-3-Clause
// From a patch of the endless grid to a box: rings close where edges go from one end of the patch to the
// other.
#pragma once

#include "plan/pattern/evidence.hpp"
#include "plan/pattern/front.hpp"

#include <optional>

namespace halocline::plan {

/// The cells of the vertices in the front, but for a few that went astray. Nothing if the vertices do not fit
/// into a box of as many cells, or too many have none.
[[nodiscard]] std::optional<Reading> rolled_up(const PairGraph& steps, const Front& front);

}  // namespace halocline::plan
