// SPDX-License-Identifier: BSD-3-Clause
// A schedule on a process grid: what wraps around onto the same process travels together.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/parts/schedule.hpp"

namespace halocline::schedule {

/// The stencil with each offset along a periodic dimension replaced by the shortest one to the same process;
/// of two equally long ones the positive. Order, number and weights stay.
/// Throws Error{invalid_argument} if the grid has other dimensions.
[[nodiscard]] Stencil reduced(const Stencil& stencil, const Grid& grid);

/// The schedule with peers reduced in the same way. Messages of rounds that go to the same process are merged
/// into one round unless one waits for the other, for which rounds may be put off until others can join them.
/// Rounds to the process itself are local copies. Throws Error{invalid_argument} if the grid has other
/// dimensions.
[[nodiscard]] Schedule on(Schedule schedule, const Grid& grid);

/// All of it: the algorithm's schedule of the reduced stencil on the grid.
[[nodiscard]] Schedule on(const Algorithm& algorithm, const Stencil& stencil, Operation operation,
                          const Grid& grid);

}  // namespace halocline::schedule
