/* The smallest C program that exchanges a halo: a ring of points, one element each. */
#include <halocline/halocline.h>
#include <mpi.h>

#include <stdio.h>

int main(int argc, char** argv) {
  int major, minor, patch;
  HCL_Version(&major, &minor, &patch);
  if (10000 * major + 100 * minor + patch != HALOCLINE_VERSION) {
    printf("the library is %d.%d.%d, its headers are %s\n", major, minor, patch, HALOCLINE_VERSION_TEXT);
    return 1;
  }
  MPI_Init(&argc, &argv);
  int ranks, rank, dims[1] = {0};
  const int periods[1] = {1};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t mesh[1] = {2 * ranks};
  MPI_Comm cart;
  HCL_Cart_mesh_create(MPI_COMM_WORLD, 1, mesh, NULL, periods, 1, 0, HCL_STENCIL_NEAREST, NULL, MPI_INFO_NULL,
                       dims, &cart);
  MPI_Comm_rank(cart, &rank);
  HCL_Field field;
  HCL_Halo halo;
  int* points;
  HCL_Field_create(cart, MPI_INT, NULL, NULL, MPI_ORDER_C, MPI_INFO_NULL, &field);
  HCL_Field_get(field, 1, &points, NULL, NULL);
  HCL_Halo_create(cart, 1, &field, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo);
  points[0] = 2 * rank;
  points[1] = 2 * rank + 1;
  HCL_Halo_exchange(halo);
  int right =
      points[-1] == (2 * rank - 1 + 2 * ranks) % (2 * ranks) && points[2] == (2 * rank + 2) % (2 * ranks);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, cart);
  if (rank == 0) printf("C: the halo is %s on %d ranks\n", right ? "right" : "WRONG", ranks);
  HCL_Halo_free(&halo);
  HCL_Field_free(&field);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return right ? 0 : 1;
}
