#include "persistent_names.inc"
program persistent_f08
  use mpi_f08
#ifdef MPIX
  use mpi_f08_ext
#endif
  implicit none
  type(MPI_Comm) :: graph
  type(MPI_Datatype) :: gaps, out_types(64), in_types(64)
  type(MPI_Request) :: requests(5)
#include "persistent_forms.inc"
end program
