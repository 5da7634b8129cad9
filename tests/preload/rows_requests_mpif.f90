program rows_requests_mpif
  implicit none
  include 'mpif.h'
  integer :: row, requests(4), kept(4), statuses(MPI_STATUS_SIZE * 4)
  integer, parameter :: first_status = 1
  include 'rows_requests.inc'
end program
