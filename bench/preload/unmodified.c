/* A program that knows nothing of Halocline: the times of calls that are taken over, and of calls that must
 * not become slower. Prints "name microseconds" for each: the median over repetitions of the slowest rank. */

#include "../../tests/preload/faces.h"
#include "../../tests/preload/persistent.h"
#include "measure.h"

typedef struct {
  MPI_Comm cart;
  double* field;
  Faces faces;
  MPI_Request kept; /* of keep_request() */
} Halo;

static Halo halo_of(int n) {
  Halo halo;
  int dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1};
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &halo.cart);
  halo.field = calloc((size_t)(n + 2) * (size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
  halo.faces = faces_of(n);
  return halo;
}

static void blocking(void* data) {
  Halo* const h = data;
  exchange_faces(&h->faces, h->field, h->cart);
}
static void non_blocking(void* data) {
  Halo* const h = data;
  MPI_Request request;
  begin_faces(&h->faces, h->field, h->cart, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void keep_request(Halo* h) {
  Faces* const f = &h->faces;
  MPI_Neighbor_alltoallw_init(h->field, f->counts, f->offsets, f->out, h->field, f->counts, f->offsets, f->in,
                              h->cart, MPI_INFO_NULL, &h->kept);
}
static void persistent(void* data) {
  Halo* const h = data;
  MPI_Start(&h->kept);
  MPI_Wait(&h->kept, MPI_STATUS_IGNORE);
}
static void packed(void* data) {
  static char buffer[1 << 20];
  Halo* const h = data;
  for (int i = 0; i < 6; ++i) {
    int position = 0;
    MPI_Pack(h->field, 1, h->faces.out[i], buffer, sizeof buffer, &position, h->cart);
  }
}
static void ping_pong(void* data) {
  char byte = 0;
  (void)data;
  if (rank == 0) {
    MPI_Send(&byte, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&byte, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
}
static void wait_for_64(void* data) {
  static int in[32], out[32];
  MPI_Request requests[64];
  (void)data;
  for (int i = 0; i < 32; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Isend(&out[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[32 + i]);
  }
  MPI_Waitall(64, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
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
    snprintf(name, sizeof name, "MPI_Neighbor_alltoallw_init,%d^3", sides[s]);
    keep_request(&halo);
    measure(name, persistent, &halo, 10);
    MPI_Request_free(&halo.kept);
    snprintf(name, sizeof name, "MPI_Pack,%d^3", sides[s]);
    measure(name, packed, &halo, 20);
    free_faces(&halo.faces);
    MPI_Comm_free(&halo.cart);
    free(halo.field);
  }
  if (size > 1) measure("ping-pong,1_byte,afterwards", ping_pong, NULL, 500);
  measure("MPI_Waitall,64,afterwards", wait_for_64, NULL, 100);
  MPI_Finalize();
  return 0;
}
