// SPDX-License-Identifier: BSD-3-Clause
// Dimension by dimension: all blocks that have to go the same way along a dimension travel in one message.
// Traeff et al., sections 3 (unit hops, as in a torus network) and 5 (whole jumps along a dimension).
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/schedule.hpp"

namespace halocline::schedule {

/// Unit hops: as many rounds as the largest and smallest coordinates of the dimensions sum to; a block takes
/// as many moves as it has hops to go. For allgather, blocks with the same first coordinates travel as one.
[[nodiscard]] Schedule torus(const Stencil& stencil, Operation operation);

/// Whole jumps: one round for each coordinate that occurs in a dimension; a block takes a move for each of
/// its coordinates that is not zero.
[[nodiscard]] Schedule torus_direct(const Stencil& stencil, Operation operation);

}  // namespace halocline::schedule
