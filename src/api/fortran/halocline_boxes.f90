! SPDX-License-Identifier: BSD-3-Clause
!> Halocline for Fortran programs whose processes own several boxes of points: use halocline_boxes, beside halocline.
!!
!! Boxes and connections are columns of matrices, points, boxes and dimensions count from 1, and ranks from 0.
! Interfaces that differ in types alone are written once, in interfaces/; interfaces.cmake fills the types in.
module halocline_boxes
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t, c_ptr, c_null_ptr
  use mpi_f08, only: MPI_Comm, MPI_Info
  use halocline, only: HCL_Field, HCL_Statistics
  implicit none
  private

  public :: HCL_Boxes, HCL_Box_halo, HCL_BOXES_NULL, HCL_BOX_HALO_NULL
  public :: HCL_Boxes_gather, HCL_Boxes_create, HCL_Boxes_connect, HCL_Boxes_size, HCL_Boxes_get, HCL_Boxes_free
  public :: HCL_Box_halo_create, HCL_Box_halo_start, HCL_Box_halo_test, HCL_Box_halo_wait, HCL_Box_halo_exchange
  public :: HCL_Box_halo_accumulate, HCL_Box_halo_start_accumulate
  public :: HCL_Box_halo_verify, HCL_Box_halo_statistics, HCL_Box_halo_free

  !> Which points each process owns.
  type, bind(C) :: HCL_Boxes
    private
    type(c_ptr) :: object = c_null_ptr
  end type

  !> The exchange of the halos of some fields on boxes.
  type, bind(C) :: HCL_Box_halo
    private
    type(c_ptr) :: object = c_null_ptr
  end type

  type(HCL_Boxes), parameter :: HCL_BOXES_NULL = HCL_Boxes(c_null_ptr)
  type(HCL_Box_halo), parameter :: HCL_BOX_HALO_NULL = HCL_Box_halo(c_null_ptr)

  !> HCL_Boxes_gather(comm, mesh, periods, first, extents, boxes [, ierror]): what all processes say that they own of a
  !! mesh, process after process. Box i of the calling one has extents(:, i) points from first(:, i) on. There may be
  !! points that nobody owns. Any communicator will do. Collective.
  interface HCL_Boxes_gather
    module procedure boxes_gather_int32_f08, boxes_gather_int64_f08
    module procedure boxes_gather_int32_integer, boxes_gather_int64_integer
  end interface

  !> HCL_Boxes_create(mesh, periods, owners, first, extents, boxes [, ierror]): of a list that all processes know, where
  !! the process with the rank owners(i) owns box i. Local.
  interface HCL_Boxes_create
    module procedure boxes_create_int32, boxes_create_int64
  end interface

  !> HCL_Boxes_connect(owners, extents, to, ghosts_first, ghosts_extents, from, first, boxes [, axes, ierror]): boxes
  !! that lie in no mesh. In connection c a box of ghost points of box to(c), ghosts_extents(:, c) points from
  !! ghosts_first(:, c) on, shows own points of box from(c), the first of them first(:, c); the first own point of a box
  !! is (1, 1, ...). What follows along dimension d goes along dimension axes(d, c) of `from`, backwards along
  !! -axes(d, c) if that is negative; along itself if axes is absent. Local.
  interface HCL_Boxes_connect
    include "boxes_connect.inc"
  end interface

  !> HCL_Boxes_get(boxes, number, owner, first, extents [, ierror]): one of them, and the rank that owns it.
  interface HCL_Boxes_get
    include "boxes_get.inc"
  end interface

  !> HCL_Box_halo_create(comm, boxes, fields, halo [, directions, info, ierror]): the halos of fields on all boxes,
  !! exchanged together: fields(i, f) is field f on the i-th box that this process owns, made by HCL_Field_attach. A column
  !! of `directions` is a part of the halo, -1, 0 or 1 for each dimension; if it is absent, all. Collective.
  interface HCL_Box_halo_create
    include "box_halo_create.inc"
  end interface

  abstract interface
    subroutine of_boxes_in_numbers(boxes, nboxes, ierror) bind(C)
      import
      type(HCL_Boxes), intent(in) :: boxes
      integer(c_int), intent(inout) :: nboxes
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_own_boxes(boxes, ierror) bind(C)
      import
      type(HCL_Boxes), intent(inout) :: boxes
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_box_halo(halo, ierror) bind(C)
      import
      type(HCL_Box_halo), intent(in) :: halo
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_box_halo_by(halo, op, ierror) bind(C)
      import
      type(HCL_Box_halo), intent(in) :: halo
      integer(c_int), intent(in) :: op
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_own_box_halo(halo, ierror) bind(C)
      import
      type(HCL_Box_halo), intent(inout) :: halo
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_box_halo_in_numbers(halo, statistics, ierror) bind(C)
      import
      type(HCL_Box_halo), intent(in) :: halo
      type(HCL_Statistics), intent(out) :: statistics
      integer(c_int), intent(out), optional :: ierror
    end subroutine
  end interface

  !> HCL_Boxes_size(boxes, nboxes [, ierror]): how many there are of all processes. Local.
  procedure(of_boxes_in_numbers), bind(C, name="halocline_f_boxes_size") :: HCL_Boxes_size
  !> HCL_Boxes_free(boxes [, ierror]): halos made of them stay good. Local.
  procedure(of_own_boxes), bind(C, name="halocline_f_boxes_free") :: HCL_Boxes_free
  !> HCL_Box_halo_start(halo [, ierror]): own points must not be changed and halos not be touched until it is complete.
  procedure(of_box_halo), bind(C, name="halocline_f_box_halo_start") :: HCL_Box_halo_start
  !> HCL_Box_halo_wait(halo [, ierror]): until what was started is complete.
  procedure(of_box_halo), bind(C, name="halocline_f_box_halo_wait") :: HCL_Box_halo_wait
  !> HCL_Box_halo_exchange(halo [, ierror]): start and wait.
  procedure(of_box_halo), bind(C, name="halocline_f_box_halo_exchange") :: HCL_Box_halo_exchange
  !> HCL_Box_halo_accumulate(halo, op [, ierror]): the other way round: what all boxes have in their halos is added to
  !! the owners' points, or as op says: HCL_ACCUMULATE_SUM, _MIN, _MAX or _REPLACE. Collective the first time.
  procedure(of_box_halo_by), bind(C, name="halocline_f_box_halo_accumulate") :: HCL_Box_halo_accumulate
  !> HCL_Box_halo_start_accumulate(halo, op [, ierror]): its beginning, which HCL_Box_halo_wait or HCL_Box_halo_test
  !! completes.
  procedure(of_box_halo_by), bind(C, name="halocline_f_box_halo_start_accumulate") :: HCL_Box_halo_start_accumulate
  !> HCL_Box_halo_verify(halo [, ierror]): tries it out on numbers that tell every point from every other, and puts the
  !! old values back. Collective.
  procedure(of_box_halo), bind(C, name="halocline_f_box_halo_verify") :: HCL_Box_halo_verify
  !> HCL_Box_halo_statistics(halo, statistics [, ierror]): what this process has exchanged. Local.
  procedure(of_box_halo_in_numbers), bind(C, name="halocline_f_box_halo_statistics") :: HCL_Box_halo_statistics
  !> HCL_Box_halo_free(halo [, ierror]): it must not be under way. Local.
  procedure(of_own_box_halo), bind(C, name="halocline_f_box_halo_free") :: HCL_Box_halo_free

  interface  ! for what follows
    include "boxes_gather_call.inc"

    subroutine boxes_create_call(mesh, periods, owners, first, extents, boxes, ierror) &
        bind(C, name="halocline_f_boxes_create")
      import
      integer(c_int64_t), intent(in) :: mesh(:), first(:, :), extents(:, :)
      integer(c_int), intent(in) :: periods(:), owners(:)
      type(HCL_Boxes), intent(inout) :: boxes
      integer(c_int), intent(out), optional :: ierror
    end subroutine

    function box_halo_test(halo, flag) result(code) bind(C, name="HCL_Box_halo_test")
      import
      type(HCL_Box_halo), value :: halo
      integer(c_int), intent(inout) :: flag
      integer(c_int) :: code
    end function
  end interface

contains

  include "boxes_gather.inc"
  include "boxes_create.inc"

  !> HCL_Box_halo_test(halo, flag [, ierror]): is nothing under way (any more)? If something is, it moves on.
  subroutine HCL_Box_halo_test(halo, flag, ierror)
    type(HCL_Box_halo), intent(in) :: halo
    logical, intent(out) :: flag
    integer, intent(out), optional :: ierror
    integer(c_int) :: done, code
    done = 0
    code = box_halo_test(halo, done)
    flag = done /= 0
    if (present(ierror)) ierror = code
  end subroutine

end module halocline_boxes
