/* A program of which nothing is taken over: messages without gaps, few bytes, many, long blocks. With the
 * argument "nothing" it makes no call at all that could be. */

#include "report.h"

#include <string.h>

enum { doubles = 1 << 18 };
static double from[2 * doubles], to[2 * doubles];

/* `blocks` of `length` doubles with gaps of the same length. */
static MPI_Datatype gaps(int blocks, int length) {
  MPI_Datatype type;
  MPI_Type_vector(blocks, length, 2 * length, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  uint64_t digest = 14695981039346656037u;
  if (argc < 2) {
    MPI_Datatype few = gaps(10, 1), many = gaps(doubles, 1), long_blocks = gaps(16, 64);
    for (int i = 0; i < 2 * doubles; ++i) from[i] = i;
    MPI_Request requests[2];
    for (int i = 0; i < 5; ++i) {
      MPI_Irecv(to, 100, MPI_DOUBLE, 0, i, MPI_COMM_SELF, &requests[0]);
      MPI_Isend(from, 100, MPI_DOUBLE, 0, i, MPI_COMM_SELF, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Sendrecv(from, 1, few, 0, 0, to, 1, few, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Irecv(to, 1, long_blocks, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Send(from, 1, long_blocks, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Irecv(to, 1, many, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(from, 1, many, 0, 0, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&few);
    MPI_Type_free(&many);
    MPI_Type_free(&long_blocks);
    digest = digest_of(to, sizeof to, digest);
  }
  report("passed by", digest, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
