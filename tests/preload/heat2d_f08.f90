program heat2d_f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: cart
  type(MPI_Datatype) :: out(4), in(4)
  type(MPI_Request) :: requests(3)
  include 'heat2d.inc'
end program
