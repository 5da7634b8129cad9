// SPDX-License-Identifier: BSD-3-Clause
// The transfer kernel for the host's processor.
#pragma once

#include "accelerate/kernel/tile.hpp"

namespace halocline::accelerate {

/// All that the threads of the block of one tile do, one after the other.
void run_tile(const Tile* table, unsigned number);

}  // namespace halocline::accelerate
