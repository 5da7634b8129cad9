// SPDX-License-Identifier: BSD-3-Clause
// Every block goes straight to its target, in a message of its own: as many rounds as neighbours.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/schedule.hpp"

namespace halocline::schedule {

/// Where offsets repeat, allgather sends the block once and copies it at its target.
[[nodiscard]] Schedule direct(const Stencil& stencil, Operation operation);

}  // namespace halocline::schedule
