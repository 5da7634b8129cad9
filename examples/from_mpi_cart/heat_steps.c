/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of docs/from_mpi_cart.md: the heat equation on a 3-D mesh, x open with cold walls, y and z
 * periodic. STEP says how far it has come: 0 is plain MPI; 1 has Halocline's exchange of its own arrays on
 * its own communicator; 2 has a communicator that is made for the mesh; 3 has fields of the library. The
 * answer is always the same, to the last bit.
 *
 *   mpirun -n 8 heat_steps_c_0 [nx ny nz steps]        also heat_steps_c_1, _2, _3 */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if STEP > 0
#include <halocline/halocline.h>
#endif

static int64_t mesh[3] = {64, 64, 64};
static const int periods[3] = {0, 1, 1};
static int64_t first[3], n[3]; /* the own points: where they begin in the mesh, and how many there are */
static int64_t sx, sy;         /* from a point to the next along x and y, in values */

/* Values at the first own point; indices -1 and n are the halo. */
#define AT(a, x, y, z) (a)[(x)*sx + (y)*sy + (z)]

static MPI_Comm make_communicator(void) {
  int dims[3] = {0, 0, 0}, rank;
  MPI_Comm cart;
#if STEP < 2
  int ranks, coords[3];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 3, coords);
  for (int d = 0; d < 3; ++d) {
    first[d] = mesh[d] * coords[d] / dims[d];
    n[d] = mesh[d] * (coords[d] + 1) / dims[d] - first[d];
  }
#else
  HCL_Cart_mesh_create(MPI_COMM_WORLD, 3, mesh, NULL, periods, 1, 0, HCL_STENCIL_NEAREST, NULL, MPI_INFO_NULL,
                       dims, &cart);
  MPI_Comm_rank(cart, &rank);
  HCL_Cart_box(cart, rank, first, n);
#endif
  return cart;
}

#if STEP < 3
static double* new_array(void) {
  sy = n[2] + 2;
  sx = (n[1] + 2) * sy;
  return calloc((size_t)((n[0] + 2) * sx), sizeof(double));
}
#endif

#if STEP == 0
/* For each dimension the types of four faces (first own points, last own points, halo before, halo behind),
 * and the neighbours before and behind. */
static MPI_Datatype faces[3][4];
static int before[3], behind[3];

static void make_faces(MPI_Comm cart) {
  for (int d = 0; d < 3; ++d) {
    const int begins[4] = {1, (int)n[d], 0, (int)n[d] + 1};
    MPI_Cart_shift(cart, d, 1, &before[d], &behind[d]);
    for (int face = 0; face < 4; ++face) {
      int sizes[3], subsizes[3], starts[3];
      for (int e = 0; e < 3; ++e) {
        sizes[e] = (int)n[e] + 2;
        subsizes[e] = e == d ? 1 : (int)n[e];
        starts[e] = e == d ? begins[face] : 1;
      }
      MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &faces[d][face]);
      MPI_Type_commit(&faces[d][face]);
    }
  }
}

static void exchange(double* array, MPI_Comm cart) {
  for (int d = 0; d < 3; ++d) {
    MPI_Sendrecv(array, 1, faces[d][0], before[d], 0, array, 1, faces[d][3], behind[d], 0, cart,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(array, 1, faces[d][1], behind[d], 0, array, 1, faces[d][2], before[d], 0, cart,
                 MPI_STATUS_IGNORE);
  }
}
#endif

/* Weights are powers of two, so that it does not matter whether the compiler fuses products and sums. */
static void step(const double* u, double* v) {
  for (int64_t x = 0; x < n[0]; ++x)
    for (int64_t y = 0; y < n[1]; ++y)
      for (int64_t z = 0; z < n[2]; ++z)
        AT(v, x, y, z) =
            0.25 * AT(u, x, y, z) +
            0.125 * (((AT(u, x - 1, y, z) + AT(u, x + 1, y, z)) + (AT(u, x, y - 1, z) + AT(u, x, y + 1, z))) +
                     (AT(u, x, y, z - 1) + AT(u, x, y, z + 1)));
}

/* What tells this result from any other, whatever the order in which points are looked at. */
static uint64_t checksum(const double* u, MPI_Comm cart) {
  uint64_t mine = 0, all = 0, bits;
  for (int64_t x = 0; x < n[0]; ++x)
    for (int64_t y = 0; y < n[1]; ++y)
      for (int64_t z = 0; z < n[2]; ++z) {
        memcpy(&bits, &AT(u, x, y, z), sizeof bits);
        const int64_t point = ((first[0] + x) * mesh[1] + first[1] + y) * mesh[2] + first[2] + z;
        const int turn = (int)(point % 63) + 1;
        mine ^= bits << turn | bits >> (64 - turn);
      }
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_BXOR, cart);
  return all;
}

static void solve(int steps) {
  MPI_Comm cart = make_communicator();

  double *u, *v;
#if STEP < 3
  double *const array_u = new_array(), *const array_v = new_array();
  u = array_u + sx + sy + 1;
  v = array_v + sx + sy + 1;
#endif
#if STEP == 0
  make_faces(cart);
#else
  HCL_Field field;
  HCL_Halo halo;
#if STEP < 3
  const int64_t extents[3] = {n[0] + 2, n[1] + 2, n[2] + 2};
  HCL_Field_attach(array_u, 3, extents, NULL, NULL, MPI_ORDER_C, MPI_DOUBLE, &field);
#else
  HCL_Field field_v;
  MPI_Aint strides[3];
  HCL_Field_create(cart, MPI_DOUBLE, NULL, NULL, MPI_ORDER_C, MPI_INFO_NULL, &field);
  HCL_Field_create(cart, MPI_DOUBLE, NULL, NULL, MPI_ORDER_C, MPI_INFO_NULL, &field_v);
  HCL_Field_get(field, 3, &u, strides, NULL);
  HCL_Field_get(field_v, 3, &v, NULL, NULL);
  sx = strides[0] / (MPI_Aint)sizeof(double); /* rows may have gaps between them */
  sy = strides[1] / (MPI_Aint)sizeof(double);
#endif
  HCL_Halo_create(cart, 1, &field, 0, HCL_DIRECTIONS_FACES, MPI_INFO_NULL, &halo);
#endif

  for (int64_t x = 0; x < n[0]; ++x)
    for (int64_t y = 0; y < n[1]; ++y)
      for (int64_t z = 0; z < n[2]; ++z)
        AT(u, x, y, z) =
            (double)(((first[0] + x) * mesh[1] + 7 * (first[1] + y) + 29 * (first[2] + z)) % 101);

  double least = 1e9, longest; /* of all exchanges the shortest; of all processes the longest of these */
  for (int i = 0; i < steps; ++i) {
    MPI_Barrier(cart); /* for the time alone: nobody is late */
    const double began = MPI_Wtime();
#if STEP == 0
    exchange(array_u, cart);
#else
    HCL_Halo_exchange(halo);
#endif
    const double seconds = MPI_Wtime() - began;
    if (seconds < least) least = seconds;
    step(u, v);
    for (int64_t x = 0; x < n[0]; ++x)
      for (int64_t y = 0; y < n[1]; ++y)
        memcpy(&AT(u, x, y, 0), &AT(v, x, y, 0), (size_t)n[2] * sizeof(double));
  }

  const uint64_t answer = checksum(u, cart);
  int rank;
  MPI_Comm_rank(cart, &rank);
  MPI_Reduce(&least, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, cart);
  if (rank == 0)
    printf("step %d, %lldx%lldx%lld points: %016llx, %.1f us for the fastest exchange\n", STEP,
           (long long)mesh[0], (long long)mesh[1], (long long)mesh[2], (unsigned long long)answer,
           1e6 * longest);

#if STEP == 0
  for (int d = 0; d < 3; ++d)
    for (int face = 0; face < 4; ++face) MPI_Type_free(&faces[d][face]);
#else
  HCL_Halo_free(&halo);
  HCL_Field_free(&field);
#endif
#if STEP < 3
  free(array_u);
  free(array_v);
#else
  HCL_Field_free(&field_v);
#endif
  MPI_Comm_free(&cart);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int steps = 20;
  if (argc == 5) {
    for (int d = 0; d < 3; ++d) mesh[d] = atoi(argv[1 + d]);
    steps = atoi(argv[4]);
  }
  solve(steps);
  MPI_Finalize();
}
