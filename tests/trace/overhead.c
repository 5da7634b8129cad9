/* What a call costs, to be run with halocline trace and without; the best of five rounds. On two processes
 * also a message between them. Not a test: mpicc -O2 overhead.c && mpirun -n 2 ./a.out. */

#include <mpi.h>
#include <stdio.h>

enum { calls = 2000000, self_messages = 500000, round_trips = 20000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double out = 0, in, best[3] = {1, 1, 1};
  for (int round = 0; round < 5; ++round) {
    double seconds[3] = {1, 1, 1}, begun = MPI_Wtime();
    for (int i = 0; i < calls; ++i) MPI_Send(&out, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    seconds[0] = (MPI_Wtime() - begun) / calls;
    begun = MPI_Wtime();
    for (int i = 0; i < self_messages; ++i) {
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, &request);
      MPI_Send(&out, 1, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    seconds[1] = (MPI_Wtime() - begun) / self_messages;
    begun = MPI_Wtime();
    for (int i = 0; i < round_trips && size > 1 && rank < 2; ++i) {
      if (rank == 0) MPI_Send(&out, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(&in, 1, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    }
    seconds[2] = (MPI_Wtime() - begun) / round_trips / 2;
    for (int i = 0; i < 3; ++i)
      if (seconds[i] < best[i]) best[i] = seconds[i];
  }
  if (rank == 0)
    printf("a message to nobody %.1f ns, to itself %.1f ns (three calls), to the next process %.1f ns\n",
           1e9 * best[0], 1e9 * best[1], 1e9 * best[2]);
  MPI_Finalize();
  return 0;
}
