/* variables_of_some one|others NAME=VALUE...: what is taken over, in a job whose processes do not have the
 * same environment: rank 0 alone has these variables, or all but rank 0. They are set before MPI starts, as a
 * launcher would. Results belong to new ranks, whichever process has them. */

#include "faces.h"
#include "report.h"
#include "some_ranks.h"

enum { edge = 6, room = (edge + 2) * (edge + 2) * (edge + 2), numbers = 512, rounds = 4 };

/* Halos on a grid whose processes may be reordered. */
static void try_grid(int size) {
  static double field[room];
  int dims[3] = {0}, periods[3] = {1, 0, 1}, rank;
  MPI_Comm grid;
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  for (int i = 0; i < room; ++i) field[i] = rank * 1000 + i;
  Faces faces = faces_of(edge);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request;
    exchange_faces(&faces, field, grid);
    begin_faces(&faces, field, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < room; ++i) field[i] += round;
  }
  free_faces(&faces);
  report("grid", digest_of(field, sizeof field, 14695981039346656037u), grid);
  MPI_Comm_free(&grid);
}

/* A ring that may be reordered, whose processes ask for their new neighbours; and a copy of it. */
static void try_graph(int size, int rank) {
  const int far = size / 2, before[] = {(rank + size - 1) % size, (rank + size - far) % size},
            after[] = {(rank + 1) % size, (rank + far) % size};
  uint64_t digest = 14695981039346656037u;
  MPI_Comm graph, copy;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, MPI_UNWEIGHTED, 2, after, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 1, &graph);
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_rank(graph, &rank);
  for (int round = 0; round < rounds; ++round) {
    const int token = rank * 10 + round;
    int in[4] = {0};
    MPI_Request request;
    MPI_Neighbor_allgather(&token, 1, MPI_INT, in, 1, MPI_INT, graph);
    MPI_Ineighbor_allgather(&token, 1, MPI_INT, in + 2, 1, MPI_INT, copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    digest = digest_of(in, sizeof in, digest);
  }
  report("graph", digest, graph);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&graph);
}

/* Messages of single numbers with gaps between them. */
static void try_messages(int size, int rank) {
  static double out[2 * numbers], in[2 * numbers];
  MPI_Datatype gaps;
  for (int i = 0; i < 2 * numbers; ++i) out[i] = rank * 10000 + i;
  MPI_Type_vector(numbers, 1, 2, MPI_DOUBLE, &gaps);
  MPI_Type_commit(&gaps);
  for (int round = 0; round < rounds; ++round)
    MPI_Sendrecv(out, 1, gaps, (rank + 1) % size, 0, in, 1, gaps, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  MPI_Type_free(&gaps);
  report("messages", digest_of(in, sizeof in, 14695981039346656037u), MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  if (argc < 2 || rank_in_world() < 0) {
    fprintf(stderr, "usage: LAUNCHER... variables_of_some one|others NAME=VALUE...\n");
    return 2;
  }
  set_variables(argc, argv);
  int size, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try_grid(size);
  try_graph(size, rank);
  try_messages(size, rank);
  MPI_Finalize();
  return 0;
}
