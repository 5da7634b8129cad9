program doors_f08
  use mpi_f08
  use iso_c_binding, only: c_ptr
  implicit none
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Comm) :: reversed, grid
  type(MPI_Win) :: window
  type(c_ptr) :: base
  include 'doors.inc'
end program
