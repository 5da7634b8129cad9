program world_mpi
  use mpi
  implicit none
  integer :: copy, group, file
  include 'world.inc'
  call MPI_Finalize(ierror)
end program
