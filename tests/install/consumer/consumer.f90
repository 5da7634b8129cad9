! The smallest Fortran program that exchanges a halo: a ring of points.
program consumer
  use mpi_f08
  use halocline
  implicit none
  integer, pointer, asynchronous :: points(:) => null()
  type(MPI_Comm) :: cart
  type(HCL_Field) :: field
  type(HCL_Halo) :: halo
  integer :: ranks, rank, major, minor, patch
  logical :: right
  call HCL_Version(major, minor, patch)
  print '(a, i0, 2(".", i0))', "Fortran: version ", major, minor, patch
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, [2 * ranks], [.true.], cart)
  call MPI_Comm_rank(cart, rank)
  call HCL_Field_create(cart, points, field)
  call HCL_Halo_create(cart, [field], halo)
  points(1:2) = 2 * rank + [0, 1]
  call HCL_Halo_exchange(halo)
  right = points(0) == modulo(2 * rank - 1, 2 * ranks) .and. points(3) == modulo(2 * rank + 2, 2 * ranks)
  call MPI_Allreduce(MPI_IN_PLACE, right, 1, MPI_LOGICAL, MPI_LAND, cart)
  if (rank == 0) print '(3a, i0, a)', "Fortran: the halo is ", trim(merge("right", "WRONG", right)), " on ", ranks, " ranks"
  call HCL_Halo_free(halo)
  call HCL_Field_free(field)
  call MPI_Comm_free(cart)
  call MPI_Finalize()
end program
