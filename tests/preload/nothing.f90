! A program that makes no call which could be taken over.
program nothing
  use mpi
  implicit none
  integer :: error, rank
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank == 0) print *, "nothing"
  call MPI_Finalize(error)
end program nothing
