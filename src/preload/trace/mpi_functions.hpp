// SPDX-License-Identifier: BSD-3-Clause
// MPI as the process has it, with the world as the program sees it.
#pragma once

#include "preload/process/found_mpi.hpp"

namespace halocline::recorder {

using namespace found_mpi;

/// MPI_COMM_WORLD; where halocline run --order gave the processes new ranks, the communicator that has them.
/// Collective over all processes of the world when it is called for the first time, behind MPI_Init.
[[nodiscard]] MPI_Comm world();

}  // namespace halocline::recorder
