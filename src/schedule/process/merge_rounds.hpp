// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedule/parts/schedule.hpp"

namespace halocline::schedule {

/// The schedule in which rounds with the same peer are one round unless one waits for the other. Local rounds
/// stay as they are. Which rounds meet is found greedily: of the rounds that could come next, those go first
/// that no later round with the same peer could join. Cost: O(n log n) for n rounds and waits.
[[nodiscard]] Schedule merge_rounds(Schedule schedule);

}  // namespace halocline::schedule
