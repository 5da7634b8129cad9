/* Sends, works for a while without MPI, and is killed before MPI_Finalize. */

#include "ledger.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int out[4] = {0}, in[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  const int next = (world_rank + 1) % world_size, before = (world_rank + world_size - 1) % world_size;
  for (int i = 0; i < 10; ++i) {
    MPI_Sendrecv(out, 4, MPI_INT, next, 1, in, 4, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(sent[message][next], 1, 16);
  }
  write_ledger(argv[1]);
  if (getenv("HALOCLINE_TRACE_SIGNAL") != NULL) raise(SIGUSR2); /* it is the one that is chosen */
  for (int left = 2; left > 0;) left = (int)sleep((unsigned)left);
  if (world_rank == 0) raise(SIGKILL);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody comes out of it */
  return 0;
}
