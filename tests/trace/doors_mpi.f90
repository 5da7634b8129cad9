program doors_mpi
  use mpi
  implicit none
  integer :: requests(2), status(MPI_STATUS_SIZE), reversed, grid, window
  integer(MPI_ADDRESS_KIND) :: base
  include 'doors.inc'
end program
