// SPDX-License-Identifier: BSD-3-Clause
// What MPI_Init_thread gave this process. Asked once: most programs have one thread, and pay for no more.
#pragma once

#include <mpi.h>

namespace halocline::mpi {

/// MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE.
[[nodiscard]] int thread_level();
/// "MPI_THREAD_FUNNELED", say.
[[nodiscard]] const char* thread_level_name(int level);

/// May several threads call MPI at once? If not, nothing of ours is locked.
[[nodiscard]] inline bool several_threads() { return thread_level() == MPI_THREAD_MULTIPLE; }

}  // namespace halocline::mpi
