/* A tool that counts the collectives by which the preload library sets communicators up, whoever calls them,
 * by their PMPI_ names: those of the program are not among them, nor those that concern one process alone.
 * Rank 0 tells. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#define COUNTED(name, declared, passed)                          \
  static int calls_of_##name;                                    \
  int PMPI_##name declared {                                     \
    static int(*next) declared;                                  \
    if (!next) *(void**)&next = dlsym(RTLD_NEXT, "PMPI_" #name); \
    int size;                                                    \
    MPI_Comm_size(comm, &size);                                  \
    if (size > 1) ++calls_of_##name;                             \
    return next passed;                                          \
  }

COUNTED(Allreduce, (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (out, in, count, type, op, comm))
COUNTED(Allgather,
        (const void* out, int n, MPI_Datatype type, void* in, int m, MPI_Datatype to, MPI_Comm comm),
        (out, n, type, in, m, to, comm))
COUNTED(Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
        (data, count, type, root, comm))
COUNTED(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
COUNTED(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
        (comm, type, key, info, made))
COUNTED(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))

int MPI_Finalize(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(
        stderr,
        "collectives: Allreduce %d Allgather %d Bcast %d Comm_split %d Comm_split_type %d Comm_create %d\n",
        calls_of_Allreduce, calls_of_Allgather, calls_of_Bcast, calls_of_Comm_split, calls_of_Comm_split_type,
        calls_of_Comm_create);
  int (*next)(void);
  *(void**)&next = dlsym(RTLD_NEXT, "MPI_Finalize");
  return next();
}
