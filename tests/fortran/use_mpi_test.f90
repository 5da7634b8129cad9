! A program whose handles are integers, as `use mpi` has them.
program use_mpi_test
  use, intrinsic :: iso_fortran_env, only: error_unit, int8, int16, int32, int64, real32, real64
  use mpi
  use halocline
  use halocline_boxes
  implicit none
  include "integer_handles.inc"
end program use_mpi_test
