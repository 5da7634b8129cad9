// SPDX-License-Identifier: BSD-3-Clause
// From a patch of the endless grid to a box: rings close where edges go from one end of the patch to the
// other.
#pragma once

#include "plan/pattern/evidence.hpp"
#include "plan/pattern/front.hpp"

#include <optional>

namespace halocline::plan {

/// The cells of the vertices in the front; `open_cell` stands for those of the others. Nothing if the
/// vertices do not fit into a box of as many cells.
[[nodiscard]] std::optional<Reading> rolled_up(const PairGraph& steps, const Front& front);

inline constexpr std::int32_t open_cell = -1;

/// Vertices without a cell get those that are left, each where most of its bytes are near. Few are thought
/// of.
void fill_up(const PairGraph& all, Reading& reading);

}  // namespace halocline::plan
