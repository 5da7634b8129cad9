/* Distributed graphs that may be reordered: grids of many shapes, graphs that are none, weights and doubled
 * edges, processes without neighbours. What is printed belongs to ranks of the new communicator, whichever
 * process has them: the edges in their order, and what a neighbourhood collective brings along them. */

#include "report.h"

#include <string.h>

enum { most = 64 };
typedef struct {
  int out, in, targets[most], sources[most], out_weights[most], in_weights[most];
} Edges;

static int rank, size;
static MPI_Comm world; /* a duplicate that returns errors */

static void add(Edges* e, int from, int to, int weight) {
  if (from == rank) {
    e->targets[e->out] = to;
    e->out_weights[e->out++] = weight;
  }
  if (to == rank) {
    e->sources[e->in] = from;
    e->in_weights[e->in++] = weight;
  }
}

/* Every edge of a grid along one offset; the weight belongs to the dimension that is left. */
static void add_offset(Edges* e, const int* dims, const int* periods, const int* offset) {
  for (int v = 0; v < size; ++v) {
    int rest = v, to = 0, inside = 1, weight = 1, stride = 1;
    for (int d = 2; d >= 0; --d) {
      int at = rest % dims[d] + offset[d];
      rest /= dims[d];
      if (at < 0 || at >= dims[d]) inside = inside && periods[d];
      at = (at % dims[d] + dims[d]) % dims[d];
      to += at * stride;
      stride *= dims[d];
      if (offset[d] != 0) weight = 5 * d + 1;
    }
    if (inside) add(e, v, to, weight);
  }
}

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

/* A number along each edge, by MPI_Neighbor_alltoallw where that works: in MPICH 4.0.2 it does not unless
 * every process has as many sources as targets, so tests ask for it in the run with the preload library
 * alone. */
static void along_edges(MPI_Comm graph, int me, int in, int out, int in_order, int* received) {
  int sent[most + 1] = {0}, counts[most + 1], places[most + 1];
  MPI_Aint bytes[most + 1];
  MPI_Datatype types[most + 1];
  for (int i = 0; i <= most; ++i) {
    counts[i] = 1;
    places[i] = i;
    bytes[i] = (MPI_Aint)sizeof(int) * i;
    types[i] = MPI_INT;
    if (i < out) sent[i] = me * 1000 + (in_order ? i : 0);
  }
  if (getenv("TESTS_ALLTOALLW") != NULL)
    MPI_Neighbor_alltoallw(sent, counts, bytes, types, received, counts, bytes, types, graph);
  else
    MPI_Neighbor_alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, graph);
  qsort(received, (size_t)in, sizeof(int), by_value); /* of doubled edges implementations mix up the order */
}

/* Gathers edges, and the blocks that come along them, by new rank. */
static void show(const char* what, MPI_Comm graph, int in_order) {
  int in, out, weighted, me, result;
  MPI_Errhandler handler, expected;
  MPI_Comm_get_errhandler(graph, &handler);
  MPI_Comm_get_errhandler(world, &expected);
  MPI_Comm_compare(world, graph, &result);
  MPI_Comm_rank(graph, &me);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  Edges e;
  memset(&e, 0, sizeof e);
  MPI_Dist_graph_neighbors(graph, in, e.sources, weighted ? e.in_weights : MPI_UNWEIGHTED, out, e.targets,
                           weighted ? e.out_weights : MPI_UNWEIGHTED);
  if (!in_order) { /* not even the standard knows it */
    qsort(e.sources, (size_t)in, sizeof(int), by_value);
    qsort(e.in_weights, (size_t)in, sizeof(int), by_value);
    qsort(e.targets, (size_t)out, sizeof(int), by_value);
    qsort(e.out_weights, (size_t)out, sizeof(int), by_value);
  }
  uint64_t digest = digest_of(&e, sizeof e, 14695981039346656037u);
  const int numbers[] = {in, out, weighted, handler == expected, result != MPI_UNEQUAL};
  digest = digest_of(numbers, sizeof numbers, digest);
  for (int round = 0; round < 4; ++round) {
    int received[most];
    memset(received, 0, sizeof received);
    const int token = me * 100 + round;
    MPI_Neighbor_allgather(&token, 1, MPI_INT, received, 1, MPI_INT, graph);
    if (!in_order) qsort(received, (size_t)in, sizeof(int), by_value);
    digest = digest_of(received, sizeof received, digest);
  }
  int received[most] = {0};
  along_edges(graph, me, in, out, in_order, received);
  report(what, digest_of(received, sizeof received, digest), graph);
}

static void try_graph(const char* name, const Edges* e) {
  for (int weighted = 0; weighted < 2; ++weighted) {
    char what[128];
    MPI_Comm graph;
    snprintf(what, sizeof what, "%s%s", name, weighted ? ", weighted" : "");
    const int* const in_weights = e->in > 0 ? e->in_weights : MPI_WEIGHTS_EMPTY;
    const int* const out_weights = e->out > 0 ? e->out_weights : MPI_WEIGHTS_EMPTY;
    MPI_Dist_graph_create_adjacent(world, e->in, e->sources, weighted ? in_weights : MPI_UNWEIGHTED, e->out,
                                   e->targets, weighted ? out_weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                                   &graph);
    show(what, graph, 1);
    MPI_Comm_free(&graph);
    /* The same edges, told by the neighbour of the one that has them. */
    int sender[most * 2] = {0}, count = 0;
    Edges told;
    memset(&told, 0, sizeof told);
    MPI_Status status;
    MPI_Sendrecv(e, (int)sizeof *e, MPI_BYTE, (rank + 1) % size, 0, &told, (int)sizeof told, MPI_BYTE,
                 (rank + size - 1) % size, 0, world, &status);
    sender[0] = (rank + size - 1) % size;
    count = told.out;
    MPI_Dist_graph_create(world, 1, sender, &count, told.targets,
                          weighted ? (count > 0 ? told.out_weights : MPI_WEIGHTS_EMPTY) : MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 1, &graph);
    strcat(what, ", told by others");
    show(what, graph, 0);
    MPI_Comm_free(&graph);
  }
}

static void try_grid(int a, int b, int periodic, int moore) {
  if (a < 1 || b < 1 || size % (a * b) != 0) return;
  const int dims[3] = {a, b, size / a / b}, periods[3] = {periodic & 1, periodic >> 1 & 1, periodic >> 2};
  Edges e;
  memset(&e, 0, sizeof e);
  for (int code = 0; code < 27; ++code) {
    const int offset[3] = {code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
    const int steps = abs(offset[0]) + abs(offset[1]) + abs(offset[2]);
    if (steps > 0 && (moore || steps == 1)) add_offset(&e, dims, periods, offset);
  }
  char name[96];
  snprintf(name, sizeof name, "%s of %dx%dx%d, periods %d", moore ? "moore" : "nearest", dims[0], dims[1],
           dims[2], periodic);
  try_graph(name, &e);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  for (int periodic = 0; periodic < 8; periodic += 3) {
    try_grid(1, 1, periodic, 0);
    try_grid(1, 2, periodic, 0);
    try_grid(1, size / 2, periodic, 0);
    try_grid(2, 2, periodic, 0);
    try_grid(1, 3, periodic, 1);
    try_grid(2, 3, periodic, 1);
  }
  Edges e;
  memset(&e, 0, sizeof e);
  for (int v = 0; v < size; ++v) /* three groups that are spread over all ranks, and a few edges between */
    for (int w = 0; w < size; ++w)
      if (v != w && (v % 3 == w % 3 || (v * 7 + w * 3) % 11 == 0)) add(&e, v, w, v % 3 == w % 3 ? 9 : 2);
  try_graph("three groups", &e);
  memset(&e, 0, sizeof e);
  for (int v = 1; v < size; ++v) add(&e, v, 0, v); /* a star, told twice; leaves get nothing */
  for (int v = 1; v < size; ++v) add(&e, v, 0, 1);
  try_graph("star", &e);
  memset(&e, 0, sizeof e);
  try_graph("no edges", &e);
  MPI_Comm_free(&world);
  MPI_Finalize();
  return 0;
}
