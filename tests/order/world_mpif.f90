program world_mpif
  implicit none
  include 'mpif.h'
  integer :: copy, group, file
  include 'world.inc'
  call MPI_Finalize(ierror)
end program
