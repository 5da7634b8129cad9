program heat2d_mpi
  use mpi
  implicit none
  integer :: cart, out(4), in(4), requests(3)
  include 'heat2d.inc'
end program
