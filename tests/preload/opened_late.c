/* Is what takes over opened only when there is something to take over? Prints so after calls that are none of
 * its business, and after one that is. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int is_opened(void) {
  char line[4096];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return -1;
  while (fgets(line, sizeof line, maps) != NULL) found |= strstr(line, "libhalocline-takeover") != NULL;
  fclose(maps);
  return found;
}

int main(int argc, char** argv) {
  int dims[2] = {0, 0}, out = 1, in = 0;
  MPI_Comm copy;
  MPI_Request requests[2];
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Dims_create(12, 2, dims);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  printf("opened by %dx%d and a message of %d: %d\n", dims[0], dims[1], in, is_opened());
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  printf("opened by a datatype: %d\n", is_opened());
  MPI_Type_free(&pair);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
