/* messages CASE: what the library says where nothing else looks at errors. CASE is the call that fails, with
 * MPI's own error handler, or `verify`: a program that makes halos, some of whose fields rotate. */
#include <halocline/halocline.h>
#include <halocline/iso.h>

#include <stdio.h>
#include <string.h>

static void make_halos(void) {
  const int64_t mesh[2] = {40, 30};
  const int periods[2] = {1, 1}, rotating[1] = {2};
  int dims[2] = {0, 1};
  MPI_Comm cart;
  HCL_Field fields[2];
  HCL_Halo halo;
  HCL_Cart_mesh_create(MPI_COMM_WORLD, 2, mesh, NULL, periods, 1, 0, HCL_STENCIL_NEAREST, NULL, MPI_INFO_NULL,
                       dims, &cart);
  for (int f = 0; f < 2; ++f)
    HCL_Field_create(cart, MPI_DOUBLE, NULL, NULL, MPI_ORDER_C, MPI_INFO_NULL, &fields[f]);
  HCL_Halo_create(cart, 2, fields, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo);
  HCL_Halo_verify(halo); /* the idea of the program, which is told about by nobody */
  HCL_Halo_free(&halo);
  HCL_Halo_create_rotating(cart, 1, rotating, fields, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo);
  HCL_Halo_free(&halo);
  for (int f = 0; f < 2; ++f) HCL_Field_free(&fields[f]);
  MPI_Comm_free(&cart);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  Iso_request none = ISO_REQUEST_NULL;
  int dims[2] = {0, 0};
  MPI_Init(&argc, &argv);
  if (strcmp(what, "HCL_Halo_start") == 0)
    HCL_Halo_start(HCL_HALO_NULL);
  else if (strcmp(what, "HCL_Dims_weighted_create") == 0)
    HCL_Dims_weighted_create(-7, 2, HCL_WEIGHTS_EQUAL, dims);
  else if (strcmp(what, "Iso_start") == 0)
    Iso_start(&none);
  else if (strcmp(what, "verify") == 0)
    make_halos();
  else
    fprintf(stderr, "no case '%s'\n", what);
  MPI_Finalize();
  return 0;
}
