// SPDX-License-Identifier: BSD-3-Clause
// From routes to a schedule of the operation alltoall: every block goes its own way.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstdint>
#include <vector>

namespace halocline::schedule {

/// The rounds each block takes part in.
struct Routes {
  Counts peers;                      ///< Of the rounds, one after the other.
  std::vector<std::int32_t> steps;   ///< The rounds of block 0, ascending, then those of block 1, ...
  std::vector<std::int32_t> firsts;  ///< For each block its first step, and the number of steps.
};

/// The schedule along the routes. A block goes from the send buffer to the receive buffer and, where it is
/// forwarded, alternates between its receive slot and a scratch slot of its own, so that it never has to be
/// copied: it lands in the receive buffer whenever an odd number of hops remains before the hop (Algorithm
/// 1). A block without steps is a local copy; all of them are the first round.
/// @pre the peers along each route sum to the offset of its block
[[nodiscard]] Schedule along(const Stencil& stencil, const Routes& routes);

}  // namespace halocline::schedule
