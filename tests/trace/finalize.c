/* How long MPI_Finalize takes in a program whose ranks send to all 26 around them: where a trace is put
 * together. Times are those of rank 0: finalize */

#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { bytes = 1024, boxes = 27, itself = 13 };

static void coordinates(const int* here, int box, int sign, int* there) {
  const int step[3] = {box / 9 - 1, box / 3 % 3 - 1, box % 3 - 1};
  for (int d = 0; d < 3; ++d) there[d] = here[d] + sign * step[d];
}

static void exchange(MPI_Comm grid, int rank) {
  static char out[bytes], in[boxes][bytes];
  MPI_Request requests[2 * (boxes - 1)];
  int here[3], there[3], target, source, count = 0;
  MPI_Cart_coords(grid, rank, 3, here);
  for (int box = 0; box < boxes; ++box) {
    if (box == itself) continue;
    coordinates(here, box, 1, there);
    MPI_Cart_rank(grid, there, &target);
    coordinates(here, box, -1, there);
    MPI_Cart_rank(grid, there, &source);
    MPI_Irecv(in[box], bytes, MPI_BYTE, source, box, grid, &requests[count++]);
    MPI_Isend(out, bytes, MPI_BYTE, target, box, grid, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, dims[3] = {0, 0, 0}, periodic[3] = {1, 1, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periodic, 0, &grid);
  exchange(grid, rank);
  MPI_Barrier(MPI_COMM_WORLD);
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  MPI_Finalize();
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  if (rank == 0) printf("%d ranks, MPI_Finalize %.3f s\n", ranks, seconds);
  return 0;
}
