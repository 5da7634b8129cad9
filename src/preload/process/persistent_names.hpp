// SPDX-License-Identifier: BSD-3-Clause
// What this MPI calls its persistent neighbourhood collectives: by their names of MPI 4, or by those of the
// extension that Open MPI had before. Without HALOCLINE_PERSISTENT_PREFIX there are none.
#pragma once

#if defined(HALOCLINE_PERSISTENT_MPIX)
#define HALOCLINE_PERSISTENT_PREFIX MPIX_
#define HALOCLINE_PERSISTENT_FORTRAN_PREFIX mpix_
#elif defined(HALOCLINE_PERSISTENT_MPI)
#define HALOCLINE_PERSISTENT_PREFIX MPI_
#define HALOCLINE_PERSISTENT_FORTRAN_PREFIX mpi_
#endif

#define HALOCLINE_JOINED_NOW(a, b, c) a##b##c
#define HALOCLINE_JOINED(a, b, c) HALOCLINE_JOINED_NOW(a, b, c)
#define HALOCLINE_QUOTED_NOW(text) #text
#define HALOCLINE_QUOTED(text) HALOCLINE_QUOTED_NOW(text)

/// HALOCLINE_PERSISTENT(P, Neighbor_alltoall_init): PMPI_Neighbor_alltoall_init, or what it is called here.
#define HALOCLINE_PERSISTENT(before, name) HALOCLINE_JOINED(before, HALOCLINE_PERSISTENT_PREFIX, name)
/// "MPI_Neighbor_alltoall_init", or what it is called here.
#define HALOCLINE_PERSISTENT_NAME(name) HALOCLINE_QUOTED(HALOCLINE_PERSISTENT(, name))
/// The same for mpi_neighbor_alltoall_init.
#define HALOCLINE_PERSISTENT_FORTRAN(before, name) \
  HALOCLINE_JOINED(before, HALOCLINE_PERSISTENT_FORTRAN_PREFIX, name)
#define HALOCLINE_PERSISTENT_FORTRAN_NAME(name) HALOCLINE_QUOTED(HALOCLINE_PERSISTENT_FORTRAN(, name))
