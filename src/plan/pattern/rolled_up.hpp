// SPDX-License-Identifier: BSD-3-Clause
// From a patch of the endless grid to a box: rings close where edges go from one end of the patch to the
// other.
#pragma once

#include "plan/pattern/evidence.hpp"
#include "plan/pattern/front.hpp"

#include <optional>

namespace halocline::plan {

/// Stands for the cell of a vertex that has none.
inline constexpr std::int32_t open_cell = -1;
inline constexpr std::size_t most_open_cells = 32;

/// The cells of the vertices in the front, but for a few that went astray. Nothing if the vertices do not fit
/// into a box of as many cells, or too many have none.
[[nodiscard]] std::optional<Reading> rolled_up(const PairGraph& steps, const Front& front);

/// Those take no cell of which most steps lead elsewhere than next to them, if they are few.
void take_out_misfits(const PairGraph& steps, Reading& reading);

/// Vertices without a cell get those that are left, each where most of its bytes are near.
/// O(open cells^3 * degree).
void fill_up(const PairGraph& all, Reading& reading);

}  // namespace halocline::plan
