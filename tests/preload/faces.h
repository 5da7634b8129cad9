/* The faces of a field of n^3 doubles with a halo of one, as subarrays: what stencil codes exchange. */
#ifndef HALOCLINE_TESTS_PRELOAD_FACES_H
#define HALOCLINE_TESTS_PRELOAD_FACES_H

#include <mpi.h>

typedef struct {
  int counts[6];
  MPI_Aint offsets[6];
  MPI_Datatype out[6], in[6];
} Faces;

static MPI_Datatype face(int n, int dimension, int at) {
  int sizes[3] = {n + 2, n + 2, n + 2}, subsizes[3] = {n, n, n}, starts[3] = {1, 1, 1};
  MPI_Datatype type;
  subsizes[dimension] = 1;
  starts[dimension] = at;
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* In the order of a Cartesian neighbourhood. */
static Faces faces_of(int n) {
  Faces faces;
  for (int d = 0; d < 3; ++d)
    for (int side = 0; side < 2; ++side) {
      faces.out[2 * d + side] = face(n, d, side ? n : 1);
      faces.in[2 * d + side] = face(n, d, side ? n + 1 : 0);
      faces.counts[2 * d + side] = 1;
      faces.offsets[2 * d + side] = 0;
    }
  return faces;
}

static void free_faces(Faces* faces) {
  for (int i = 0; i < 6; ++i) {
    MPI_Type_free(&faces->out[i]);
    MPI_Type_free(&faces->in[i]);
  }
}

static void exchange_faces(Faces* f, double* field, MPI_Comm cart) {
  MPI_Neighbor_alltoallw(field, f->counts, f->offsets, f->out, field, f->counts, f->offsets, f->in, cart);
}

static void begin_faces(Faces* f, double* field, MPI_Comm cart, MPI_Request* request) {
  MPI_Ineighbor_alltoallw(field, f->counts, f->offsets, f->out, field, f->counts, f->offsets, f->in, cart,
                          request);
}

#endif
