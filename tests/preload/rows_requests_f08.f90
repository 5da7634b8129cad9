program rows_requests_f08
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: row
  type(MPI_Request) :: requests(4), kept(4)
  type(MPI_Status) :: statuses(4)
  integer, parameter :: first_status = 1
  include 'rows_requests.inc'
end program
