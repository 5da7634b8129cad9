/* Cartesian communicators that are made and freed: what they cost beside that. */

#include "report.h"

enum { grids = 8 };

int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int reorder = argc > 1 ? atoi(argv[1]) : 0, periodic[2] = {1, 0};
  uint64_t digest = 14695981039346656037u;
  for (int i = 0; i < grids; ++i) {
    int dims[2] = {0, 0}, coordinates[2], rank;
    MPI_Comm grid;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, reorder, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coordinates);
    digest = digest_of(coordinates, sizeof coordinates, digest);
    MPI_Comm_free(&grid);
  }
  report("grids", digest, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
