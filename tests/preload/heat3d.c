/* Diffusion on a 3-D mesh, as such codes are written: a Cartesian communicator that may be reordered,
 * subarrays as halos, one MPI_Neighbor_alltoallw a step. Every third step is overlapped, with its
 * non-blocking form. The result is printed by mesh, not by rank, so that it does not depend on where the
 * processes are. heat3d EDGE STEPS: cells along an edge of a process's part, and how many steps; the time of
 * the steps is printed then, too. */

#include "faces.h"
#include "report.h"

#include <stdlib.h>

int main(int argc, char** argv) {
  const int n = argc > 2 ? atoi(argv[1]) : 12, m = n + 2, steps = argc > 2 ? atoi(argv[2]) : 30;
  const size_t bytes = sizeof(double) * (size_t)m * (size_t)m * (size_t)m;
  double(*u)[m][m] = calloc(1, bytes), (*v)[m][m] = calloc(1, bytes);
  int size, rank, dims[3] = {0, 0, 0}, periods[3] = {1, 0, 1}, coords[3];
  MPI_Init(&argc, &argv);
  MPI_Comm cart;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 3, coords);

  Faces faces = faces_of(n);
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      for (int k = 1; k <= n; ++k)
        u[i][j][k] = ((coords[0] * n + i) * 131 + (coords[1] * n + j) * 17 + (coords[2] * n + k) * 7) % 101;

  const double start = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    if (step % 3 == 2) {
      MPI_Request request;
      begin_faces(&faces, &u[0][0][0], cart, &request);
      int flag = 0;
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      exchange_faces(&faces, &u[0][0][0], cart);
    }
    for (int i = 1; i <= n; ++i)
      for (int j = 1; j <= n; ++j)
        for (int k = 1; k <= n; ++k)
          v[i][j][k] = u[i][j][k] + 0.1 * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] +
                                           u[i][j][k - 1] + u[i][j][k + 1] - 6 * u[i][j][k]);
    for (int i = 1; i <= n; ++i)
      for (int j = 1; j <= n; ++j)
        for (int k = 1; k <= n; ++k) u[i][j][k] = v[i][j][k];
  }
  const double seconds = MPI_Wtime() - start;
  double slowest;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, cart);
  if (rank == 0 && argc > 2) printf("seconds %.6f\n", slowest);
  char line[64];
  snprintf(line, sizeof line, "heat3d on %dx%dx%d", dims[0], dims[1], dims[2]);
  report(line, digest_of(u, bytes, 14695981039346656037u), cart);
  free_faces(&faces);
  MPI_Comm_free(&cart);
  free(u);
  free(v);
  MPI_Finalize();
  return 0;
}
