program rows_mpi
  use mpi
  implicit none
  integer :: row, half, status(MPI_STATUS_SIZE)
  include 'rows.inc'
end program
