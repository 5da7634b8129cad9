// Halo exchanges of other libraries, as far as they were found when this was built.
#pragma once

#include "tools/bench/halo.hpp"

namespace halocline::bench {

/// PETSc's DMDA: the ghost points of local vectors, from the local vectors themselves. To be called after
/// MPI_Init.
[[nodiscard]] tools::ForeignHalo petsc_halo();
/// Before MPI_Finalize, once all of its halos are gone.
void finish_petsc();

/// GHEX: messages, and its bulk exchange, which copies within a process and, where it was built with XPMEM,
/// within a node.
[[nodiscard]] tools::ForeignHalo ghex_halo();
[[nodiscard]] tools::ForeignHalo ghex_bulk_halo();

}  // namespace halocline::bench
