// SPDX-License-Identifier: BSD-3-Clause
// Whether threads of this process may call MPI at once.
#pragma once

#include "mpi/handles/call.hpp"

namespace halocline::preload {

/// False for MPI_THREAD_MULTIPLE. @pre MPI is initialised
[[nodiscard]] inline bool one_thread_at_a_time() {
  int level = MPI_THREAD_MULTIPLE;
  HALOCLINE_MPI(Query_thread, &level);
  return level != MPI_THREAD_MULTIPLE;
}

}  // namespace halocline::preload
