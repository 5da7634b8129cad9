// Messages that are longer than the buffer of their receive.
//
// Open MPI (4.1.4) writes all of such a message, beyond the end, before it reports the error, if there are
// gaps on neither side and the message is not small. Packing takes gaps away. A process that ends with the
// error does not care; one that outlives it must have a gap left, on the one side or on the other.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/handle.hpp"

namespace halocline::preload {

/// Local, some nanoseconds.
[[nodiscard]] inline bool errors_are_fatal(MPI_Comm comm) noexcept {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  const bool ends_the_program = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return ends_the_program;
}

#if defined(OPEN_MPI)
constexpr bool writes_beyond_the_end = true;
#else
constexpr bool writes_beyond_the_end = false;
#endif

/// May messages of the program on this communicator be packed? Local.
[[nodiscard]] inline bool may_lose_gaps(MPI_Comm comm) noexcept {
  return !writes_beyond_the_end || errors_are_fatal(comm);
}

/// For a receive of packed bytes into memory of ours that must not overflow, whatever is sent: a type of
/// `bytes` with a gap before the last one. It needs no answer from the sender, whose message stays the same.
/// The memory has one byte more. @pre bytes >= least_with_gap
[[nodiscard]] mpi::Datatype type_with_gap(Count bytes);
constexpr Count least_with_gap = 2;

}  // namespace halocline::preload
