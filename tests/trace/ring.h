/* What all parts of every_kind.c share: a communicator in which each rank sends to the next, and buffers. */
#ifndef HALOCLINE_TESTS_TRACE_RING_H
#define HALOCLINE_TESTS_TRACE_RING_H

#include "ledger.h"

#include <string.h>

#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallw_init MPIX_Neighbor_alltoallw_init
#define MPI_Neighbor_allgather_init MPIX_Neighbor_allgather_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Alltoall_init MPIX_Alltoall_init
#endif

enum { room = 1 << 14 };
static int out[room], in[room];
static unsigned digest;

/* A communicator, and who its ranks are in the world. */
typedef struct {
  MPI_Comm comm;
  int rank, size, next, before;
  int world_of[most_ranks];
} Ring;

static void take(int count) {
  for (int i = 0; i < count; ++i) digest = digest * 31 + (unsigned)in[i];
}

static void fill(void) {
  for (int i = 0; i < room; ++i) out[i] = world_rank * 1000 + i;
  memset(in, 0, sizeof in);
}

static void to_next(const Ring* r, int way, long long messages, long long bytes) {
  add(sent[way][r->world_of[r->next]], messages, bytes);
}

#endif
