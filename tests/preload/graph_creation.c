/* Graphs that are made and freed, some of them for one blocking collective: what they cost beside that. */

#include "report.h"

#include <string.h>

enum { graphs = 8 };

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int exchanges = argc > 1 ? atoi(argv[1]) : 0, reorder = argc > 2 ? atoi(argv[2]) : 0;
  uint64_t digest = 14695981039346656037u;
  for (int i = 0; i < graphs; ++i) {
    const int source = (rank + size - i % size) % size, target = (rank + i) % size;
    int received = -1, degree = 1;
    MPI_Comm graph;
    if (i % 2)
      MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &target, MPI_UNWEIGHTED,
                                     MPI_INFO_NULL, reorder, &graph);
    else
      MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &target, MPI_UNWEIGHTED, MPI_INFO_NULL,
                            reorder, &graph);
    MPI_Request request;
    MPI_Ineighbor_alltoall(&rank, 1, MPI_INT, &received, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    digest = digest_of(&received, sizeof received, digest);
    for (int k = 0; k < exchanges; ++k) {
      const int token = 100 * rank + k;
      MPI_Neighbor_alltoall(&token, 1, MPI_INT, &received, 1, MPI_INT, graph);
      digest = digest_of(&received, sizeof received, digest);
    }
    MPI_Comm_free(&graph);
  }
  report("graphs", digest, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
