program world_f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: copy
  type(MPI_Group) :: group
  type(MPI_File) :: file
  include 'world.inc'
  ! All may leave the code out here.
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  if (rank == 0) print '(l1)', flag
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Comm_rank(MPI_COMM_WORLD, result)
  if (result /= rank) print '(a, i0, a, i0)', 'without a code it is ', result, ' for ', rank
  call MPI_Finalize()
end program
