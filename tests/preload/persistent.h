/* The persistent neighbourhood collectives by their names of MPI 4, also where MPI has them as an extension.
 */
#ifndef HALOCLINE_TESTS_PRELOAD_PERSISTENT_H
#define HALOCLINE_TESTS_PRELOAD_PERSISTENT_H

#include <mpi.h>
#include <stdlib.h>

#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallv_init MPIX_Neighbor_alltoallv_init
#define MPI_Neighbor_alltoallw_init MPIX_Neighbor_alltoallw_init
#define MPI_Neighbor_allgather_init MPIX_Neighbor_allgather_init
#define MPI_Neighbor_allgatherv_init MPIX_Neighbor_allgatherv_init
#endif

/* Whether persistent collectives are all that the standard says. Those of MPICH 4.0.2 may stay active after
 * calls that complete one or some, fail in MPI_Testall, and tell no errors; those of Open MPI 4.1.4 read
 * datatypes that were freed. Tests set the variable for the run with the preload library, which must print
 * the same. */
static int as_the_standard_says(void) { return getenv("TESTS_PERSISTENT_STANDARD") != NULL; }

#endif
