/* A program that knows nothing of Halocline: the times of calls that are taken over, and of calls that must
 * not become slower. Prints "name microseconds" for each: the median over repetitions of the slowest rank. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { repetitions = 31 };
static int rank, size;

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

typedef struct {
  MPI_Comm cart;
  double* field;
  int counts[6];
  MPI_Aint offsets[6];
  MPI_Datatype out[6], in[6];
} Halo;

static MPI_Datatype face(int n, int dimension, int at) {
  int sizes[3] = {n + 2, n + 2, n + 2}, subsizes[3] = {n, n, n}, starts[3] = {1, 1, 1};
  MPI_Datatype type;
  subsizes[dimension] = 1;
  starts[dimension] = at;
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static Halo halo_of(int n) {
  Halo halo;
  int dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1};
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &halo.cart);
  halo.field = calloc((size_t)(n + 2) * (size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
  for (int d = 0; d < 3; ++d)
    for (int side = 0; side < 2; ++side) {
      halo.out[2 * d + side] = face(n, d, side ? n : 1);
      halo.in[2 * d + side] = face(n, d, side ? n + 1 : 0);
      halo.counts[2 * d + side] = 1;
      halo.offsets[2 * d + side] = 0;
    }
  return halo;
}

static void blocking(Halo* h) {
  MPI_Neighbor_alltoallw(h->field, h->counts, h->offsets, h->out, h->field, h->counts, h->offsets, h->in,
                         h->cart);
}
static void non_blocking(Halo* h) {
  MPI_Request request;
  MPI_Ineighbor_alltoallw(h->field, h->counts, h->offsets, h->out, h->field, h->counts, h->offsets, h->in,
                          h->cart, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void packed(Halo* h) {
  static char buffer[1 << 20];
  for (int i = 0; i < 6; ++i) {
    int position = 0;
    MPI_Pack(h->field, 1, h->out[i], buffer, sizeof buffer, &position, h->cart);
  }
}
static void ping_pong(Halo* h) {
  char byte = 0;
  (void)h;
  if (rank == 0) {
    MPI_Send(&byte, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&byte, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
}
static void wait_for_64(Halo* h) {
  static int in[32], out[32];
  MPI_Request requests[64];
  (void)h;
  for (int i = 0; i < 32; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Isend(&out[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[32 + i]);
  }
  MPI_Waitall(64, requests, MPI_STATUSES_IGNORE);
}

static void measure(const char* name, void (*work)(Halo*), Halo* halo, int times) {
  double medians[repetitions];
  for (int i = 0; i < 5; ++i) work(halo);
  for (int r = 0; r < repetitions; ++r) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) work(halo);
    double mine = (MPI_Wtime() - begin) / times * 1e6;
    MPI_Reduce(&mine, &medians[r], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  if (rank != 0) return;
  qsort(medians, repetitions, sizeof(double), by_value);
  printf("%s %.2f\n", name, medians[repetitions / 2]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* First, while nothing of Halocline was used: such a program must not become slower. */
  if (size > 1) measure("ping-pong,1_byte", ping_pong, NULL, 500);
  measure("MPI_Waitall,64", wait_for_64, NULL, 100);
  static const int sides[] = {8, 32, 64};
  for (int s = 0; s < 3; ++s) {
    char name[64];
    Halo halo = halo_of(sides[s]);
    snprintf(name, sizeof name, "MPI_Neighbor_alltoallw,%d^3", sides[s]);
    measure(name, blocking, &halo, 10);
    snprintf(name, sizeof name, "MPI_Ineighbor_alltoallw,%d^3", sides[s]);
    measure(name, non_blocking, &halo, 10);
    snprintf(name, sizeof name, "MPI_Pack,%d^3", sides[s]);
    measure(name, packed, &halo, 20);
    MPI_Comm_free(&halo.cart);
    free(halo.field);
  }
  if (size > 1) measure("ping-pong,1_byte,afterwards", ping_pong, NULL, 500);
  measure("MPI_Waitall,64,afterwards", wait_for_64, NULL, 100);
  MPI_Finalize();
  return 0;
}
