program rows_f08
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: row, half
  type(MPI_Status) :: status
  include 'rows.inc'
end program
