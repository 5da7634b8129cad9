// Whether messages may be packed at all.
#pragma once

#include <mpi.h>

namespace halocline::preload {

/// Open MPI (4.1.4) writes all of a message that is longer than the buffer of its receive, beyond the end,
/// before it reports the error, if there are gaps on neither side. So they must not vanish on communicators
/// where this process outlives that error. Local.
[[nodiscard]] inline bool may_lose_gaps([[maybe_unused]] MPI_Comm comm) {
#if defined(OPEN_MPI)
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  const bool ends_the_program = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return ends_the_program;
#else
  return true;
#endif
}

}  // namespace halocline::preload
