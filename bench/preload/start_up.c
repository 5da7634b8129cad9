/* start_up [nothing]: what a program pays once. Prints "name microseconds" of the slowest rank: the processor
 * time before main(), MPI_Init, the first call of each kind that the preload library looks at, MPI_Finalize.
 * With "nothing" it makes none of these calls. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { kinds = 10, numbers = 2048 };
static const char* names[kinds];
static double times[kinds];
static int known;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void take(const char* name, double microseconds) {
  names[known] = name;
  times[known++] = microseconds;
}

static double begin;
static void start(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  begin = seconds(CLOCK_MONOTONIC);
}
static void stop(const char* name) { take(name, (seconds(CLOCK_MONOTONIC) - begin) * 1e6); }

/* Everything once. */
static void first_calls(int rank, int size) {
  static double out[2 * numbers], in[2 * numbers];
  const int periods[] = {1};
  int dims[] = {0};
  start();
  MPI_Dims_create(size, 1, dims);
  stop("MPI_Dims_create");
  MPI_Comm grid;
  start();
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  stop("MPI_Cart_create");
  MPI_Comm reordered;
  start();
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &reordered);
  stop("MPI_Cart_create,reorder");
  MPI_Datatype gaps;
  MPI_Type_vector(numbers, 1, 2, MPI_DOUBLE, &gaps);
  start();
  MPI_Type_commit(&gaps);
  stop("MPI_Type_commit");
  start();
  MPI_Sendrecv(out, 1, gaps, (rank + 1) % size, 0, in, 1, gaps, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  stop("MPI_Sendrecv");
  start();
  for (int i = 0; i < 4; ++i)
    MPI_Neighbor_alltoall(out, numbers / 2, MPI_DOUBLE, in, numbers / 2, MPI_DOUBLE, grid);
  stop("MPI_Neighbor_alltoall,4_times");
  MPI_Type_free(&gaps);
  MPI_Comm_free(&reordered);
  MPI_Comm_free(&grid);
}

int main(int argc, char** argv) {
  take("before_main", seconds(CLOCK_PROCESS_CPUTIME_ID) * 1e6);
  int rank, size;
  double slowest[kinds] = {0};
  begin = seconds(CLOCK_MONOTONIC);
  MPI_Init(&argc, &argv);
  stop("MPI_Init");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2 || strcmp(argv[1], "nothing") != 0) first_calls(rank, size);
  MPI_Reduce(times, slowest, known, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  start();
  MPI_Finalize();
  stop("MPI_Finalize"); /* of rank 0 alone: nobody can ask the others */
  slowest[known - 1] = times[known - 1];
  for (int i = 0; rank == 0 && i < known; ++i) printf("%s %.0f\n", names[i], slowest[i]);
  return 0;
}
