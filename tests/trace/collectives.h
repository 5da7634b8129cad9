/* Every kind of collective call, those of neighbourhoods among them. */
#ifndef HALOCLINE_TESTS_TRACE_COLLECTIVES_H
#define HALOCLINE_TESTS_TRACE_COLLECTIVES_H

#include "ring.h"

static void to_targets(const Ring* r, const int* targets, int count, long long messages, long long bytes) {
  for (int i = 0; i < count; ++i)
    if (targets[i] != MPI_PROC_NULL) add(sent[neighbor][r->world_of[targets[i]]], messages, bytes);
}

static void neighbours_of(const Ring* r, MPI_Comm graph, const int* targets, int degree) {
  int counts[4], displacements[4], counts_of_types[4];
  MPI_Aint places[4];
  MPI_Datatype types[4], two;
  MPI_Request request;
  fill();
  MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 3, MPI_INT, graph);
  to_targets(r, targets, degree, 1, 12);
  take(3 * degree);
  MPI_Ineighbor_allgather(out, 5, MPI_INT, in, 5, MPI_INT, graph, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  to_targets(r, targets, degree, 1, 20);
  take(5 * degree);
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  for (int i = 0; i < degree; ++i) {
    counts[i] = 2;
    displacements[i] = 2 * i;
    places[i] = 8 * i;
    types[i] = i % 2 ? MPI_INT : two;
    counts_of_types[i] = i % 2 ? 2 : 1;
  }
  MPI_Neighbor_alltoallv(out, counts, displacements, MPI_INT, in, counts, displacements, MPI_INT, graph);
  to_targets(r, targets, degree, 1, 8);
  MPI_Neighbor_alltoallw(out, counts_of_types, places, types, in, counts_of_types, places, types, graph);
  MPI_Type_free(&two);
  to_targets(r, targets, degree, 1, 8);
  MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, counts, displacements, MPI_INT, graph);
  to_targets(r, targets, degree, 1, 8);
  MPI_Request requests[2];
  MPI_Neighbor_alltoall_init(out, 4, MPI_INT, in, 4, MPI_INT, graph, MPI_INFO_NULL, &requests[0]);
  MPI_Neighbor_allgather_init(out, 6, MPI_INT, in + 100, 6, MPI_INT, graph, MPI_INFO_NULL, &requests[1]);
  for (int turn = 0; turn < 2; ++turn) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    to_targets(r, targets, degree, 2, 16 + 24);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void neighbourhoods(const Ring* r) {
  /* A line with open ends. */
  const int closed = 0, around = 1;
  MPI_Comm grid, graph;
  MPI_Cart_create(r->comm, 1, &r->size, &closed, 0, &grid);
  const int of_line[] = {r->rank > 0 ? r->rank - 1 : MPI_PROC_NULL,
                         r->rank + 1 < r->size ? r->rank + 1 : MPI_PROC_NULL};
  neighbours_of(r, grid, of_line, 2);
  MPI_Comm_free(&grid);
  MPI_Cart_create(r->comm, 1, &r->size, &around, 0, &grid);
  const int of_ring[] = {r->before, r->next};
  neighbours_of(r, grid, of_ring, 2);
  MPI_Comm_free(&grid);
  MPI_Dist_graph_create_adjacent(r->comm, 1, &r->before, MPI_UNWEIGHTED, 1, &r->next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  neighbours_of(r, graph, &r->next, 1);
  MPI_Comm_free(&graph);
}

static void collective_calls(const Ring* r) {
  int counts[most_ranks], displacements[most_ranks];
  const int n = r->size, root = n - 1;
  const long long all = n;
  MPI_Request request;
  for (int i = 0; i < n; ++i) {
    counts[i] = 2;
    displacements[i] = 2 * i;
  }
  fill();
  MPI_Bcast(in, 5, MPI_INT, root, r->comm);
  add(handed_in[bcast], 1, r->rank == root ? 20 : 0);
  MPI_Ibcast(in, 6, MPI_INT, root, r->comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  add(handed_in[bcast], 1, r->rank == root ? 24 : 0);
  MPI_Bcast_init(in, 7, MPI_INT, 0, r->comm, MPI_INFO_NULL, &request);
  for (int turn = 0; turn < 2; ++turn) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    add(handed_in[bcast], 1, r->rank == 0 ? 28 : 0);
  }
  MPI_Request_free(&request);
  MPI_Gather(out, 3, MPI_INT, in, 3, MPI_INT, root, r->comm);
  add(handed_in[gather], 1, 12);
  take(3 * n);
  MPI_Gatherv(out, 2, MPI_INT, in, counts, displacements, MPI_INT, root, r->comm);
  add(handed_in[gather], 1, 8);
  MPI_Scatter(out, 2, MPI_INT, in, 2, MPI_INT, root, r->comm);
  add(handed_in[scatter], 1, r->rank == root ? 8 * all : 0);
  MPI_Scatterv(out, counts, displacements, MPI_INT, in, 2, MPI_INT, root, r->comm);
  add(handed_in[scatter], 1, r->rank == root ? 8 * all : 0);
  MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, r->comm);
  add(handed_in[allgather], 1, 8);
  take(2 * n);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, r->comm);
  add(handed_in[allgather], 1, 8);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, displacements, MPI_INT, r->comm);
  add(handed_in[allgather], 1, 8);
  MPI_Alltoall(out, 3, MPI_INT, in, 3, MPI_INT, r->comm);
  add(handed_in[alltoall], 1, 12 * all);
  take(3 * n);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_INT, r->comm);
  add(handed_in[alltoall], 1, 12 * all);
  MPI_Alltoallv(out, counts, displacements, MPI_INT, in, counts, displacements, MPI_INT, r->comm);
  add(handed_in[alltoall], 1, 8 * all);
  MPI_Reduce(out, in, 9, MPI_INT, MPI_SUM, root, r->comm);
  add(handed_in[reduce], 1, 36);
  MPI_Allreduce(out, in, 4, MPI_INT, MPI_MAX, r->comm);
  add(handed_in[allreduce], 1, 16);
  MPI_Iallreduce(MPI_IN_PLACE, in, 4, MPI_INT, MPI_MAX, r->comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  add(handed_in[allreduce], 1, 16);
  take(4);
  MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, r->comm);
  add(handed_in[reduce_scatter], 1, 8 * all);
  MPI_Reduce_scatter_block(out, in, 3, MPI_INT, MPI_SUM, r->comm);
  add(handed_in[reduce_scatter], 1, 12 * all);
  MPI_Scan(out, in, 2, MPI_INT, MPI_SUM, r->comm);
  add(handed_in[scan], 1, 8);
  MPI_Exscan(out, in, 3, MPI_INT, MPI_SUM, r->comm);
  add(handed_in[scan], 1, 12);
}

#endif
