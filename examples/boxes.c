/* SPDX-License-Identifier: BSD-3-Clause */
/* A lake with an island, cut into squares that are dealt to the processes in turn: values spread from square
 * to square, and the sum of all stays what it is. Squares of the island belong to nobody.
 *
 *   mpirun -n 4 boxes_c */
#include <halocline/halocline.h>

#include <stdio.h>

enum { squares = 6, side = 8, most = squares * squares };

static double water[most][side + 2][side + 2], later[side + 2][side + 2];

static int is_island(int row, int column) { return row >= 2 && row < 4 && column >= 1 && column < 4; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, processes, own = 0, dealt = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);

  const int64_t mesh[] = {squares * side, squares * side}, whole[] = {side + 2, side + 2};
  int64_t first[most][2], extents[most][2];
  HCL_Field fields[most];
  for (int row = 0; row < squares; ++row)
    for (int column = 0; column < squares; ++column) {
      if (is_island(row, column) || dealt++ % processes != rank) continue;
      first[own][0] = row * side;
      first[own][1] = column * side;
      extents[own][0] = extents[own][1] = side;
      HCL_Field_attach(water[own], 2, whole, NULL, NULL, MPI_ORDER_C, MPI_DOUBLE, &fields[own]);
      water[own++][1 + row][1 + column] = 64;
    }

  HCL_Boxes boxes;
  HCL_Box_halo halo;
  const int periods[] = {1, 1};
  HCL_Boxes_gather(MPI_COMM_WORLD, 2, mesh, periods, own, first[0], extents[0], &boxes);
  HCL_Box_halo_create(MPI_COMM_WORLD, boxes, 1, own, fields, 0, HCL_DIRECTIONS_FACES, MPI_INFO_NULL, &halo);

  for (int step = 0; step < 20; ++step) {
    for (int b = 0; b < own; ++b) /* what no halo shows, the shore, stays as it is: nothing flows there */
      for (int i = 1; i <= side; ++i) {
        water[b][i][0] = water[b][0][i] = -1;
        water[b][i][side + 1] = water[b][side + 1][i] = -1;
      }
    HCL_Box_halo_exchange(halo);
    for (int b = 0; b < own; ++b) {
      for (int i = 1; i <= side; ++i)
        for (int j = 1; j <= side; ++j) {
          const double here = water[b][i][j];
          const double around[] = {water[b][i - 1][j], water[b][i + 1][j], water[b][i][j - 1],
                                   water[b][i][j + 1]};
          later[i][j] = here;
          for (int n = 0; n < 4; ++n)
            if (around[n] >= 0) later[i][j] += 0.125 * (around[n] - here);
        }
      for (int i = 1; i <= side; ++i)
        for (int j = 1; j <= side; ++j) water[b][i][j] = later[i][j];
    }
  }

  double sum = 0, all = 0;
  for (int b = 0; b < own; ++b)
    for (int i = 1; i <= side; ++i)
      for (int j = 1; j <= side; ++j) sum += water[b][i][j];
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d squares of %d processes hold %.6f\n", dealt, processes, all);
  for (int b = 0; b < own; ++b) HCL_Field_free(&fields[b]);
  HCL_Box_halo_free(&halo);
  HCL_Boxes_free(&boxes);
  MPI_Finalize();
  return all > 1919.999 && all < 1920.001 ? 0 : 1;
}
