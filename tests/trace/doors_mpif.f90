program doors_mpif
  implicit none
  include 'mpif.h'
  integer :: requests(2), status(MPI_STATUS_SIZE), reversed, grid, window
  integer(MPI_ADDRESS_KIND) :: base
  include 'doors.inc'
end program
