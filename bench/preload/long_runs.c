/* A ring whose processes exchange one block with each neighbour by MPI_Ineighbor_alltoallw: runs of so many
 * bytes with gaps as long between them. Prints "run,block microseconds" for each. */

#include "measure.h"

typedef struct {
  MPI_Comm ring;
  MPI_Datatype types[2];
  MPI_Aint places[2];
  char *from, *to;
} Blocks;

static void exchange(void* data) {
  static const int counts[2] = {1, 1};
  Blocks* const b = data;
  MPI_Request request;
  MPI_Ineighbor_alltoallw(b->from, counts, b->places, b->types, b->to, counts, b->places, b->types, b->ring,
                          &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void measure_blocks(MPI_Comm ring, int run, int bytes) {
  Blocks blocks = {ring, {0}, {0, 2 * (MPI_Aint)bytes}, calloc(4, (size_t)bytes), calloc(4, (size_t)bytes)};
  char name[64];
  MPI_Type_vector(bytes / run, run, 2 * run, MPI_CHAR, &blocks.types[0]);
  MPI_Type_commit(&blocks.types[0]);
  blocks.types[1] = blocks.types[0];
  snprintf(name, sizeof name, "runs_of_%d_B,%d_B", run, bytes);
  measure(name, exchange, &blocks, bytes < 100000 ? 50 : 10);
  MPI_Type_free(&blocks.types[0]);
  free(blocks.from);
  free(blocks.to);
}

int main(int argc, char** argv) {
  int periodic = 1;
  MPI_Comm ring;
  start(&argc, &argv);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  for (int i = 0; i < 4; ++i) { /* what comes after some blocking calls is taken over */
    const int out[2] = {rank, i};
    int in[2];
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
  }
  for (int run = 16; run <= 4096; run *= 4)
    for (int bytes = 1 << 12; bytes <= 1 << 20; bytes *= 4) measure_blocks(ring, run, bytes);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
