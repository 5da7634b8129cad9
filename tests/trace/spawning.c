/* Each process sends once to a process that it spawned together with the others, which has the same library
 * and must leave no file. */

#include "ledger.h"

int main(int argc, char** argv) {
  int out[4] = {0};
  MPI_Comm parent, children;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Recv(out, 4, MPI_INT, MPI_ANY_SOURCE, 1, parent, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  if (world_rank == 0) MPI_Send(out, 4, MPI_INT, 0, 1, children);
  MPI_Comm_disconnect(&children);
  write_ledger(argv[1]);
  if (world_rank == 0) printf("spawned\n");
  MPI_Finalize();
  return 0;
}
