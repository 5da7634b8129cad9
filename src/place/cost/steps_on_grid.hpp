// SPDX-License-Identifier: BSD-3-Clause
// The offsets of a stencil as they act on one grid: reduced where the grid wraps, without those that lead
// nowhere, equal ones together.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"

#include <optional>
#include <vector>

namespace halocline::place {

struct GridStep {
  Offset offset;
  Count repeats = 0;  ///< Offsets of the stencil that are this step.
  Count weight = 0;   ///< Their weights in sum.
};

struct Steps {
  std::vector<GridStep> list;
  Count low = 0, high = 0;  ///< The reach along dimension 0; 0 lies between them.
};

/// The same cell, by an offset of least size; none if it is outside from everywhere.
[[nodiscard]] std::optional<Offset> shortest(const Grid& grid, Offset offset);

/// Every component is smaller than the grid's extent; where periodic, the shorter way around. A step that
/// wraps onto its own sender is left out: it never leaves a group. Throws Error{invalid_argument} if the
/// weights of equal steps do not add up in 64 bits.
[[nodiscard]] Steps normalized_steps(const Grid& grid, const Stencil& stencil);

/// In how many cells a step starts: its messages in the whole grid. @pre the step is normalized
[[nodiscard]] Count occurrences(const Grid& grid, const Offset& step);

}  // namespace halocline::place
