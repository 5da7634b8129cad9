/* Every neighbourhood collective, blocking, non-blocking and persistent, on one communicator after the other:
 * Cartesian grids with open borders and periodic dimensions of size 1, 2 and more, sparse directed graphs, a
 * graph with doubled edges. Blocks from nothing to some hundred KiB, contiguous and scattered; several calls
 * under way at once. Persistent ones are started again with other data, by each process in an order of its
 * own, and outlive their datatypes and lists. */

#include "persistent.h"
#include "report.h"

#include <string.h>

enum { gap = 7 };
typedef enum { blocking, non_blocking, persistent, forms } Form;

typedef struct {
  MPI_Comm comm;
  int out, in;
} Neighborhood;

static MPI_Datatype scattered(int bytes) { /* `bytes` bytes with a gap after each 8 */
  MPI_Datatype vector, type;
  const int blocks = bytes / 8 > 0 ? bytes / 8 : 1, length = bytes / blocks;
  MPI_Type_vector(blocks, length, length + gap, MPI_BYTE, &vector);
  MPI_Type_create_resized(vector, 0, (MPI_Aint)blocks * (length + gap), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&vector);
  return type;
}

typedef struct {
  unsigned char *send, *receive;
  size_t send_bytes, receive_bytes;
} Buffers;

static void refill(Buffers* b, int rank, int round) {
  fill_pattern(b->send, b->send_bytes, rank, round);
  memset(b->receive, 0xEE, b->receive_bytes + 1);
}

static Buffers buffers(size_t send_bytes, size_t receive_bytes, int rank, int round) {
  Buffers b = {malloc(send_bytes + 1), malloc(receive_bytes + 1), send_bytes, receive_bytes};
  refill(&b, rank, round);
  return b;
}

static uint64_t take(Buffers b, uint64_t digest) {
  digest = digest_of(b.receive, b.receive_bytes, digest);
  free(b.send);
  free(b.receive);
  return digest;
}

/* Five requests, by one call or another. */
static void complete(MPI_Request* requests, int way) {
  int index = 0, flag = 0, done = 0, indices[5];
  if (way % 4 == 0) MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  if (way % 4 == 1)
    for (int i = 0; i < 5; ++i) MPI_Waitany(5, requests, &index, MPI_STATUS_IGNORE);
  if (way % 4 == 2)
    while (done < 5) {
      int some = 0;
      MPI_Testsome(5, requests, &some, indices, MPI_STATUSES_IGNORE);
      done += some;
    }
  if (way % 4 == 3)
    for (int i = 4; i >= 0; --i) {
      while (!flag) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      flag = 0;
    }
}

/* Persistent requests several times, with other data each time, in an order that other processes do not have.
 */
static uint64_t repeat(MPI_Request* requests, Buffers* b, int rank, int round) {
  uint64_t digest = 0;
  for (int time = 0; time < 3; ++time) {
    for (int i = 0; i < 5; ++i) refill(&b[i], rank, round + 10 * time + i);
    if (time == 1) MPI_Startall(5, requests);
    if (time != 1)
      for (int i = 0; i < 5; ++i) MPI_Start(&requests[(rank * (time + 1) + i) % 5]);
    const int way = round + time;
    complete(requests, as_the_standard_says() ? way : 0);
    for (int i = 0; i < 5; ++i) digest = digest_of(b[i].receive, b[i].receive_bytes, digest);
  }
  for (int i = 0; i < 5; ++i) MPI_Request_free(&requests[i]);
  return digest;
}

/* alltoall, allgather and their v and w forms with blocks of about `bytes`. */
static uint64_t exchange(Neighborhood n, int bytes, Form form, int round) {
  int rank;
  MPI_Comm_rank(n.comm, &rank);
  const MPI_Datatype type = scattered(bytes > 0 ? bytes : 1);
  MPI_Aint lb, extent;
  MPI_Type_get_extent(type, &lb, &extent);
  const int count = bytes > 0 ? 1 : 0;
  const size_t most = (size_t)(n.out > n.in ? n.out : n.in) + 1, room = most * 2 * (size_t)extent;
  MPI_Request requests[8];
  Buffers b[5];
  for (int i = 0; i < 5; ++i) b[i] = buffers(room, room, rank, round + i);
  int *counts = malloc(most * sizeof(int)), *places = malloc(most * sizeof(int));
  MPI_Aint* offsets = malloc(most * sizeof(MPI_Aint));
  MPI_Datatype *out_types = malloc(most * sizeof(MPI_Datatype)),
               *in_types = malloc(most * sizeof(MPI_Datatype));
  for (size_t i = 0; i < most; ++i) {
    counts[i] = count;
    places[i] = (int)(2 * (most - 1 - i)); /* backwards, with holes */
    offsets[i] = (MPI_Aint)(2 * i) * extent;
    out_types[i] = i % 2 ? type : MPI_BYTE;
    in_types[i] = i % 2 ? MPI_BYTE : type;
  }
  /* Sizes in bytes are equal whatever the type: the same number of bytes is sent and received. */
  int size;
  MPI_Type_size(type, &size);
  int *out_counts = malloc(most * sizeof(int)), *in_counts = malloc(most * sizeof(int));
  for (size_t i = 0; i < most; ++i) {
    out_counts[i] = count * (i % 2 ? 1 : size);
    in_counts[i] = count * (i % 2 ? size : 1);
  }

  if (form == persistent) {
    MPI_Neighbor_alltoall_init(b[0].send, count, type, b[0].receive, count, type, n.comm, MPI_INFO_NULL,
                               &requests[0]);
    MPI_Neighbor_alltoallv_init(b[1].send, counts, places, type, b[1].receive, counts, places, type, n.comm,
                                MPI_INFO_NULL, &requests[1]);
    MPI_Neighbor_alltoallw_init(b[2].send, out_counts, offsets, out_types, b[2].receive, in_counts, offsets,
                                in_types, n.comm, MPI_INFO_NULL, &requests[2]);
    MPI_Neighbor_allgather_init(b[3].send, count, type, b[3].receive, count, type, n.comm, MPI_INFO_NULL,
                                &requests[3]);
    MPI_Neighbor_allgatherv_init(b[4].send, count, type, b[4].receive, counts, places, type, n.comm,
                                 MPI_INFO_NULL, &requests[4]);
  } else if (form == non_blocking) {
    MPI_Ineighbor_alltoall(b[0].send, count, type, b[0].receive, count, type, n.comm, &requests[0]);
    MPI_Ineighbor_alltoallv(b[1].send, counts, places, type, b[1].receive, counts, places, type, n.comm,
                            &requests[1]);
    MPI_Ineighbor_alltoallw(b[2].send, out_counts, offsets, out_types, b[2].receive, in_counts, offsets,
                            in_types, n.comm, &requests[2]);
    MPI_Ineighbor_allgather(b[3].send, count, type, b[3].receive, count, type, n.comm, &requests[3]);
    MPI_Ineighbor_allgatherv(b[4].send, count, type, b[4].receive, counts, places, type, n.comm,
                             &requests[4]);
    complete(requests, round);
  } else {
    MPI_Neighbor_alltoall(b[0].send, count, type, b[0].receive, count, type, n.comm);
    MPI_Neighbor_alltoallv(b[1].send, counts, places, type, b[1].receive, counts, places, type, n.comm);
    MPI_Neighbor_alltoallw(b[2].send, out_counts, offsets, out_types, b[2].receive, in_counts, offsets,
                           in_types, n.comm);
    MPI_Neighbor_allgather(b[3].send, count, type, b[3].receive, count, type, n.comm);
    MPI_Neighbor_allgatherv(b[4].send, count, type, b[4].receive, counts, places, type, n.comm);
  }
  free(counts), free(places), free(offsets), free(out_types), free(in_types), free(out_counts),
      free(in_counts);
  MPI_Datatype old = type;
  const int is_free = form != persistent || as_the_standard_says();
  if (is_free) MPI_Type_free(&old);
  uint64_t digest = form == persistent ? repeat(requests, b, rank, round) : 14695981039346656037u;
  for (int i = 0; i < 5; ++i) digest = take(b[i], digest);
  if (!is_free) MPI_Type_free(&old);
  return digest;
}

static void try_all(const char* name, Neighborhood n) {
  static const int sizes[] = {0, 1, 24, 1000, 20000, 80000};
  int round = 0;
  static const char* const names[] = {"blocking", "non-blocking", "persistent"};
  for (Form form = blocking; form < forms; ++form)
    for (int s = 0; s < 6; ++s) {
      uint64_t digest = 0;
      for (int repeat = 0; repeat < (sizes[s] > 10000 ? 1 : 4); ++repeat)
        digest = digest * 31 + exchange(n, sizes[s], form, round++);
      char line[128];
      snprintf(line, sizeof line, "%s %s %d", name, names[form], sizes[s]);
      report(line, digest, n.comm);
    }
}

static void try_cart(int ndims, int periodic) {
  int size, dims[3] = {0, 0, 0}, periods[3] = {periodic, periodic && ndims < 3, periodic};
  MPI_Comm cart;
  char name[64];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, ndims, dims);
  MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &cart);
  snprintf(name, sizeof name, "cart %dx%dx%d %s", dims[0], dims[1], dims[2], periodic ? "periodic" : "open");
  Neighborhood n = {cart, 2 * ndims, 2 * ndims};
  try_all(name, n);
  MPI_Comm_free(&cart);
}

static void try_graph(int doubled) {
  int size, rank, out[4], in[4], count = 0;
  MPI_Comm graph;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static const int steps[2][4] = {{1, 3, 4, 0}, {1, 1, 0, 2}};
  for (int i = 0; i < 4; ++i, ++count) {
    const int step = steps[doubled][i];
    out[i] = (rank + step) % size;
    in[i] = ((rank - step) % size + size) % size;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, in, MPI_UNWEIGHTED, count, out, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  Neighborhood n = {graph, count, count};
  try_all(doubled ? "doubled graph" : "graph", n);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int ndims = 1; ndims <= 3; ++ndims)
    for (int periodic = 0; periodic < 2; ++periodic) try_cart(ndims, periodic);
  try_graph(0);
  try_graph(1);
  MPI_Finalize();
  return 0;
}
