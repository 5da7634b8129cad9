/* same_dims one|others NAME=VALUE...: do all processes get the same grid from MPI_Dims_create, which is
 * local, in a job whose processes do not have the same environment? And what comes of grids that are made of
 * it. */

#include "some_ranks.h"

#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int size, rank, dims[3] = {0}, lowest[3], highest[3], periods[3] = {0};
  MPI_Comm grid;
  if (argc < 2 || rank_in_world() < 0) {
    fprintf(stderr, "usage: LAUNCHER... same_dims one|others NAME=VALUE...\n");
    return 2;
  }
  set_variables(argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(size, 3, dims);
  MPI_Allreduce(dims, lowest, 3, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(dims, highest, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    const int same = memcmp(lowest, highest, sizeof lowest) == 0;
    printf("%s\n", same ? "the same grid everywhere" : "different grids");
    fprintf(stderr, "grid: %dx%dx%d\n", dims[0], dims[1], dims[2]);
  }
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
