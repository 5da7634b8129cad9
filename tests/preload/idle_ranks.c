/* Neighbourhood collectives that some processes leave out: those without edges, and those of another part of
 * the graph, which make as many calls as they like. The standard wants all processes to call; MPIs need only
 * neighbours, and programs rely on it. */

#include "persistent.h"
#include "report.h"

#include <string.h>

enum { most = 4, words = 700 };

static int rank, size;
static uint64_t digest = 14695981039346656037u;

/* Rings of the first and the second half of all ranks but the last one, which has no edges. With `twice`,
 * every edge is there two times. */
typedef struct {
  int degree, part, sources[most], targets[most];
} Place;

static Place place(int twice) {
  Place p = {0, 2, {0}, {0}};
  const int half = (size - 1) / 2, first = rank < half ? 0 : half;
  const int members = rank < half ? half : size - 1 - half;
  if (rank == size - 1) return p;
  p.part = rank < half ? 0 : 1;
  for (int i = 0; i < (twice ? 2 : 1); ++i) {
    p.sources[p.degree] = first + (rank - first + members - 1) % members;
    p.targets[p.degree++] = first + (rank - first + 1) % members;
  }
  return p;
}

static MPI_Comm adjacent(const Place* p) {
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, p->degree, p->sources, MPI_UNWEIGHTED, p->degree, p->targets,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  return graph;
}

static MPI_Comm scattered(const Place* p) {
  MPI_Comm graph;
  MPI_Dist_graph_create(MPI_COMM_WORLD, p->degree > 0, &rank, &p->degree, p->targets, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &graph);
  return graph;
}

static MPI_Comm copied(const Place* p) {
  MPI_Comm copy, graph = adjacent(p);
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_free(&graph);
  return copy;
}

/* The graphs of MPI 1: every process tells all edges, which go both ways. */
static MPI_Comm replicated(const Place* p) {
  int ends[64], edges[64 * 2 * most], count = 0;
  MPI_Comm graph;
  Place all[64];
  MPI_Allgather(p, sizeof *p, MPI_BYTE, all, sizeof *p, MPI_BYTE, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < all[r].degree; ++i) edges[count++] = all[r].sources[i];
    for (int i = 0; i < all[r].degree; ++i) edges[count++] = all[r].targets[i];
    ends[r] = count;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &graph);
  return graph;
}

static int out[2 * most][words], in[2 * most][words];

static void fill(int round) {
  for (int b = 0; b < 2 * most; ++b)
    for (int i = 0; i < words; ++i) out[b][i] = rank * 100000 + b * 10000 + round * 1000 + i;
  memset(in, 0, sizeof in);
}

static void take(void) { digest = digest_of(in, sizeof in, digest); }

static void try_calls(const char* what, MPI_Comm graph, const Place* p) {
  for (int round = 0; round < 4 + 3 * p->part && p->degree > 0; ++round) {
    fill(round);
    MPI_Neighbor_alltoall(out, words, MPI_INT, in, words, MPI_INT, graph);
    take();
    MPI_Request request;
    fill(round + 1);
    MPI_Ineighbor_alltoall(out, words, MPI_INT, in, words, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    take();
    MPI_Neighbor_alltoall_init(out, words, MPI_INT, in, words, MPI_INT, graph, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; ++i) {
      fill(round + 2 + i);
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      take();
    }
    MPI_Request_free(&request);
  }
  report(what, digest, MPI_COMM_WORLD);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Place once = place(0), twice = place(1);
  try_calls("adjacent", adjacent(&once), &once);
  try_calls("adjacent, doubled edges", adjacent(&twice), &twice);
  try_calls("scattered", scattered(&once), &once);
  try_calls("copied", copied(&once), &once);
  try_calls("replicated", replicated(&once), &once);
  MPI_Finalize();
  return 0;
}
