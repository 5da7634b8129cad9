/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat equation on a 3-D mesh, explicitly, on any number of processes: cold walls or periodic dimensions.
 * The interior is computed while the halo travels. Afterwards one process does the same alone and without
 * halos, and the results must agree to the last bit.
 *
 *   mpirun -n 8 heat_c [nx ny nz [steps [periodic]]]        mpirun -n 8 heat_c 64 64 64 100 1 */

#include <halocline/halocline.h>
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A field of the library: indices count from the first own point, -1 and the extent are the halo. */
typedef struct {
  HCL_Field field;
  double* origin;
  MPI_Aint stride[3]; /* in values */
} Temperature;

typedef struct {
  int64_t first[3], extents[3];
} Box;

static Temperature new_temperature(MPI_Comm cart) {
  Temperature t;
  HCL_Field_create(cart, MPI_DOUBLE, NULL, NULL, MPI_ORDER_C, MPI_INFO_NULL, &t.field);
  HCL_Field_get(t.field, 3, &t.origin, t.stride, NULL);
  for (int d = 0; d < 3; ++d) t.stride[d] /= (MPI_Aint)sizeof(double);
  return t;
}

static double initial(const int64_t mesh[3], int64_t x, int64_t y, int64_t z) {
  return (double)((x * mesh[1] + 7 * y + 29 * z) % 101);
}

/* Weights are powers of two, so that it does not matter whether the compiler fuses products and sums. */
static double next(double here, double x0, double x1, double y0, double y1, double z0, double z1) {
  return 0.25 * here + 0.125 * (((x0 + x1) + (y0 + y1)) + (z0 + z1));
}

/* One step for the points from `low` to `high`, which is not one of them. */
static void step_box(const Temperature* from, const Temperature* to, const int64_t low[3],
                     const int64_t high[3]) {
  const MPI_Aint sx = from->stride[0], sy = from->stride[1], sz = from->stride[2];
  for (int64_t x = low[0]; x < high[0]; ++x)
    for (int64_t y = low[1]; y < high[1]; ++y) {
      const double* const u = from->origin + x * sx + y * sy;
      double* const v = to->origin + x * sx + y * sy;
      for (int64_t z = low[2]; z < high[2]; ++z) {
        const double* const p = u + z * sz;
        v[z * sz] = next(*p, p[-sx], p[sx], p[-sy], p[sy], p[-sz], p[sz]);
      }
    }
}

static int64_t at_most(int64_t value, int64_t limit) { return value < limit ? value : limit; }
static int64_t at_least(int64_t value, int64_t limit) { return value > limit ? value : limit; }

/* Points that need no halo; and the others: two slabs for each dimension, without what earlier ones have. */
static void step_interior(const Temperature* from, const Temperature* to, const int64_t n[3]) {
  const int64_t low[3] = {1, 1, 1}, high[3] = {n[0] - 1, n[1] - 1, n[2] - 1};
  step_box(from, to, low, high);
}
static void step_boundary(const Temperature* from, const Temperature* to, const int64_t n[3]) {
  int64_t low[3] = {0, 0, 0}, high[3] = {n[0], n[1], n[2]};
  for (int d = 0; d < 3; ++d) {
    const int64_t begin = low[d], end = high[d];
    high[d] = at_most(1, end);
    step_box(from, to, low, high);
    low[d] = at_least(n[d] - 1, 1);
    high[d] = end;
    step_box(from, to, low, high);
    low[d] = at_most(begin + 1, end);
    high[d] = at_least(n[d] - 1, low[d]);
  }
}

/* What tells this result from any other, whatever the order in which points are looked at. */
static uint64_t mark(double value, const int64_t mesh[3], int64_t x, int64_t y, int64_t z) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const unsigned turn = (unsigned)((uint64_t)((x * mesh[1] + y) * mesh[2] + z) % 63) + 1;
  return bits << turn | bits >> (64 - turn);
}

static uint64_t parallel(MPI_Comm cart, const int64_t mesh[3], int steps) {
  int rank;
  MPI_Comm_rank(cart, &rank);
  Box box;
  HCL_Cart_box(cart, rank, box.first, box.extents);
  const int64_t* const n = box.extents;

  /* One halo for both, which change roles after every step: it is told whose turn it is. */
  Temperature t[2] = {new_temperature(cart), new_temperature(cart)};
  const HCL_Field fields[2] = {t[0].field, t[1].field};
  const int memories = 2;
  HCL_Halo halo;
  HCL_Halo_create_rotating(cart, 1, &memories, fields, 0, HCL_DIRECTIONS_FACES, MPI_INFO_NULL, &halo);

  for (int64_t x = 0; x < n[0]; ++x)
    for (int64_t y = 0; y < n[1]; ++y)
      for (int64_t z = 0; z < n[2]; ++z)
        t[0].origin[x * t[0].stride[0] + y * t[0].stride[1] + z * t[0].stride[2]] =
            initial(mesh, box.first[0] + x, box.first[1] + y, box.first[2] + z);

  for (int step = 0; step < steps; ++step) {
    const int now = step % 2;
    const void* const exchanged = t[now].origin;
    HCL_Halo_start_with(halo, &exchanged);
    step_interior(&t[now], &t[1 - now], n);
    HCL_Halo_wait(halo);
    step_boundary(&t[now], &t[1 - now], n);
  }

  const Temperature* const last = &t[steps % 2];
  uint64_t mine = 0, all = 0;
  for (int64_t x = 0; x < n[0]; ++x)
    for (int64_t y = 0; y < n[1]; ++y)
      for (int64_t z = 0; z < n[2]; ++z)
        mine ^= mark(last->origin[x * last->stride[0] + y * last->stride[1] + z * last->stride[2]], mesh,
                     box.first[0] + x, box.first[1] + y, box.first[2] + z);
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_BXOR, cart);
  HCL_Halo_free(&halo);
  for (int i = 0; i < 2; ++i) HCL_Field_free(&t[i].field);
  return all;
}

/* The value at any point: around periodic dimensions, zero beyond cold walls. */
static double value_at(const double* u, const int64_t n[3], int periodic, int64_t x, int64_t y, int64_t z) {
  int64_t p[3] = {x, y, z};
  for (int d = 0; d < 3; ++d) {
    if (periodic) p[d] = (p[d] + n[d]) % n[d];
    if (p[d] < 0 || p[d] >= n[d]) return 0;
  }
  return u[(p[0] * n[1] + p[1]) * n[2] + p[2]];
}

static uint64_t alone(const int64_t n[3], int periodic, int steps) {
  const size_t points = (size_t)(n[0] * n[1] * n[2]);
  double *u = malloc(points * sizeof *u), *v = malloc(points * sizeof *v);
  if (u == NULL || v == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  uint64_t all = 0;
  for (int step = 0; step <= steps + 1; ++step) {
    size_t i = 0;
    for (int64_t x = 0; x < n[0]; ++x)
      for (int64_t y = 0; y < n[1]; ++y)
        for (int64_t z = 0; z < n[2]; ++z, ++i) {
          if (step == 0)
            v[i] = initial(n, x, y, z);
          else if (step <= steps)
            v[i] = next(u[i], value_at(u, n, periodic, x - 1, y, z), value_at(u, n, periodic, x + 1, y, z),
                        value_at(u, n, periodic, x, y - 1, z), value_at(u, n, periodic, x, y + 1, z),
                        value_at(u, n, periodic, x, y, z - 1), value_at(u, n, periodic, x, y, z + 1));
          else
            all ^= mark(u[i], n, x, y, z);
        }
    double* const swapped = u;
    u = v;
    v = swapped;
  }
  free(u);
  free(v);
  return all;
}

/* A number of the command line; what is none, or not in the range, ends the program. */
static int argument(int argc, char** argv, int number, int otherwise, int least, int most) {
  if (argc <= number) return otherwise;
  const char* const word = argv[number];
  const size_t digits = strspn(word, "0123456789");
  const long value = strtol(word, NULL, 10); /* the largest there is if it does not fit */
  if (digits > 0 && word[digits] == '\0' && least <= value && value <= most) return (int)value;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "heat_c: argument %d is '%s'; it is a number from %d to %d\n", number, word, least, most);
  MPI_Finalize();
  exit(2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int most = 10000;
  const int64_t mesh[3] = {argument(argc, argv, 1, 37, 1, most), argument(argc, argv, 2, 32, 1, most),
                           argument(argc, argv, 3, 33, 1, most)};
  const int steps = argument(argc, argv, 4, 25, 0, 1000000);
  const int periodic = argument(argc, argv, 5, 0, 0, 1);
  const int periods[3] = {periodic, periodic, periodic};

  int dims[3] = {0, 0, 0}, ranks, rank;
  MPI_Comm cart;
  HCL_Cart_mesh_create(MPI_COMM_WORLD, 3, mesh, NULL, periods, 1, 0, HCL_STENCIL_NEAREST, NULL, MPI_INFO_NULL,
                       dims, &cart);
  MPI_Comm_size(cart, &ranks);
  MPI_Comm_rank(cart, &rank);
  const uint64_t ours = parallel(cart, mesh, steps);
  int same = 1;
  if (rank == 0) {
    same = ours == alone(mesh, periodic, steps);
    printf("%lldx%lldx%lld points, %d steps, %s, on %d processes (%dx%dx%d): %016llx, %s one process alone\n",
           (long long)mesh[0], (long long)mesh[1], (long long)mesh[2], steps,
           periodic ? "periodic" : "cold walls", ranks, dims[0], dims[1], dims[2], (unsigned long long)ours,
           same ? "as on" : "NOT as on");
  }
  MPI_Bcast(&same, 1, MPI_INT, 0, cart);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return same ? 0 : 1;
}
