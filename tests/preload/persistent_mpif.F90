#include "persistent_names.inc"
program persistent_mpif
  implicit none
  include 'mpif.h'
#ifdef MPIX
  include 'mpif-ext.h'
#endif
  integer :: graph, gaps, out_types(64), in_types(64), requests(5)
#include "persistent_forms.inc"
end program
