! A program whose handles are integers, as mpif.h has them.
program mpif_test
  use, intrinsic :: iso_fortran_env, only: error_unit, int8, int16, int32, int64, real32, real64
  use halocline
  use halocline_boxes
  implicit none
  include 'mpif.h'
  include "integer_handles.inc"
end program mpif_test
