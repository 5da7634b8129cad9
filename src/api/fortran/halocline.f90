! SPDX-License-Identifier: BSD-3-Clause
!> Halocline for Fortran programs: use halocline.
!!
!! Procedures have the names of the C interface (halocline.h says more about each) and the manners of mpi_f08: ierror
!! comes last and may be left out. Handles of MPI are the types of mpi_f08, or integers as `use mpi` and mpif.h have
!! them. Dimensions are in the order of the arrays, points of the mesh and ranks of arrays count from 1. docs/fortran.md
!! is the guide.
! Interfaces that differ in types alone are written once, in interfaces/; interfaces.cmake fills the types in.
module halocline
  use, intrinsic :: iso_c_binding, only: c_int, c_int8_t, c_int16_t, c_int32_t, c_int64_t, c_float, c_double, &
    c_float_complex, c_double_complex, c_ptr, c_null_ptr, c_char
  use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Info, MPI_SUCCESS, MPI_MAX_ERROR_STRING
  implicit none
  private

  public :: HCL_Field, HCL_Halo, HCL_Statistics, HCL_FIELD_NULL, HCL_HALO_NULL
  public :: HCL_Cart_slabs_create
  public :: HCL_Cart_mesh_create, HCL_Cart_mesh_attach, HCL_Cart_mesh_get, HCL_Cart_box, HCL_Cart_owner
  public :: HCL_Stencil_nearest, HCL_Stencil_moore
  public :: HCL_Field_attach, HCL_Field_create, HCL_Field_free
  public :: HCL_Halo_start_on, HCL_Halo_wait_on
  public :: HCL_Halo_create, HCL_Halo_start, HCL_Halo_test, HCL_Halo_wait, HCL_Halo_exchange, HCL_Halo_verify
  public :: HCL_Halo_start_with, HCL_Halo_exchange_with, HCL_Halo_accumulate, HCL_Halo_start_accumulate
  public :: HCL_Halo_set_threads
  public :: HCL_ACCUMULATE_SUM, HCL_ACCUMULATE_MIN, HCL_ACCUMULATE_MAX, HCL_ACCUMULATE_REPLACE
  public :: HCL_Halo_free, HCL_Halo_statistics, HCL_Halo_report, HCL_Halo_schedule
  public :: HCL_Error_string, HCL_Version

  !> An array of the application, or one of the library.
  type, bind(C) :: HCL_Field
    private
    type(c_ptr) :: object = c_null_ptr
  end type

  !> The exchange of the halos of some fields.
  type, bind(C) :: HCL_Halo
    private
    type(c_ptr) :: object = c_null_ptr
  end type

  type(HCL_Field), parameter :: HCL_FIELD_NULL = HCL_Field(c_null_ptr)
  type(HCL_Halo), parameter :: HCL_HALO_NULL = HCL_Halo(c_null_ptr)

  !> What an owner makes of the values that others have in their halos for its points: it adds them.
  integer(c_int), parameter :: HCL_ACCUMULATE_SUM = 0
  !> It takes them if they are less.
  integer(c_int), parameter :: HCL_ACCUMULATE_MIN = 1
  !> It takes them if they are greater.
  integer(c_int), parameter :: HCL_ACCUMULATE_MAX = 2
  !> It takes them.
  integer(c_int), parameter :: HCL_ACCUMULATE_REPLACE = 3

  !> What a process has exchanged; times are taken only where timed is not 0.
  type, bind(C) :: HCL_Statistics
    integer(c_int64_t) :: exchanges = 0
    integer(c_int64_t) :: self_messages = 0, self_bytes = 0
    integer(c_int64_t) :: node_messages = 0, node_bytes = 0
    integer(c_int64_t) :: network_messages = 0, network_bytes = 0
    real(c_double) :: pack_seconds = 0, late_seconds = 0, transfer_seconds = 0
    integer(c_int) :: timed = 0
  end type

  !> HCL_Cart_mesh_create(comm_old, mesh, periods, comm_cart [, dims, halo, stencil, weights, reorder, info, ierror]):
  !! a Cartesian communicator over all processes whose grid and numbering fit the mesh and the nodes. Positive entries
  !! of dims stay, the others are filled in. A column of stencil is an offset; the nearest if it is absent. Collective.
  interface HCL_Cart_mesh_create
    module procedure cart_mesh_create_int32_f08, cart_mesh_create_int64_f08
    module procedure cart_mesh_create_int32_integer, cart_mesh_create_int64_integer
  end interface

  !> HCL_Cart_slabs_create(comm_old, dims, slabs, periods, comm_cart [, halo, stencil, weights, reorder, info, ierror]): the
  !! same for a mesh that the program cuts itself: dims(1) slabs along dimension 1, dims(2) along dimension 2, ...;
  !! `slabs` has the points of each, those of the first dimension first. Collective.
  interface HCL_Cart_slabs_create
    module procedure cart_slabs_create_int32_f08, cart_slabs_create_int64_f08
    module procedure cart_slabs_create_int32_integer, cart_slabs_create_int64_integer
  end interface

  !> HCL_Cart_mesh_attach(comm_cart, mesh [, halo, ierror]): tells any Cartesian communicator its mesh. Collective.
  interface HCL_Cart_mesh_attach
    include "cart_mesh_attach.inc"
  end interface

  !> HCL_Cart_mesh_get(comm_cart, mesh [, halo, ierror]): the mesh that a communicator knows.
  interface HCL_Cart_mesh_get
    include "cart_mesh_get.inc"
  end interface

  !> HCL_Cart_box(comm_cart, first, extents [, rank, ierror]): the points that a process owns, this one if none is
  !! named: from first(i) to first(i) + extents(i) - 1 along dimension i.
  interface HCL_Cart_box
    include "cart_box.inc"
  end interface

  !> HCL_Cart_owner(comm_cart, point, rank [, ierror]): the process that owns a point.
  interface HCL_Cart_owner
    include "cart_owner.inc"
  end interface

  !> HCL_Field_create(comm_cart, array, field [, halo, halo_high, components, lower, staggered, info, ierror]): memory of the
  !! library for the points of this process on the mesh of the communicator, and a pointer to it. The first own point
  !! has the index 1 along each dimension, or `lower`; what is below and behind is the halo. `components` are the
  !! extents of leading dimensions that are not of the mesh. Widths are those of the communicator if they are absent.
  !! `staggered` has a 1 for each dimension along which there is one point more than there are cells, otherwise 0.
  !! All values are zero. The pointer is good until HCL_Field_free and the last HCL_Halo_free. Collective.
  interface HCL_Field_create
    include "field_create.inc"
  end interface

  ! Called as they are, without a procedure between: an array must come with the strides it has, never as a copy.
  !> HCL_Field_attach(array, field [, halo, halo_high, components, element, staggered, ierror]): an array of any type and rank, or
  !! any section of one, halo included. The first `components` dimensions are not of the mesh (0 if absent). Widths are 1
  !! if they are absent; halo_high is as halo if it is. `element` says which parts of a derived type are exchanged; if it
  !! is absent, all bytes are. The array must stay where it is as long as halos made of it are used, and it should be
  !! asynchronous. A component is passed as p(:, :)%mass: gfortran 12 spoils p if it is p%mass. Local.
  interface HCL_Field_attach
    include "field_attach.inc"
  end interface

  !> HCL_Halo_create(comm_cart, fields, halo [, directions, info, nmemories, ierror]): the halos of all fields, exchanged
  !! together. A column of `directions` is a part of the halo, -1, 0 or 1 for each dimension; if it is absent, the parts
  !! that the stencil of the communicator reaches. If fields change places, nmemories(i) is how many of `fields` field i
  !! of the halo has in turn: those of the first come first. HCL_Halo_start_with tells which. Collective.
  interface HCL_Halo_create
    include "halo_create.inc"
  end interface

  !> HCL_Halo_start_with(halo, array [, array2, ..., array8, ierror]): starts it with the array that each of its fields is
  !! now: those that HCL_Field_attach was given, or the pointers of HCL_Field_create. With halocline_addresses "any" also others
  !! of the same shape and strides, or an array of addresses, [c_loc(a), c_loc(b)], one for each field, of which nothing is
  !! known. ierror is named: ierror=ierror.
  interface HCL_Halo_start_with
    include "halo_with_arrays_start.inc"
  end interface

  !> HCL_Halo_exchange_with(halo, array [, array2, ..., array8, ierror]): HCL_Halo_start_with and wait.
  interface HCL_Halo_exchange_with
    include "halo_with_arrays_exchange.inc"
  end interface

  ! Procedures that have the same arguments, all of which are addresses. (Of what is declared this way, gfortran 12
  ! hands no descriptors to C, and no types by value.)
  abstract interface
    subroutine of_field(field, ierror) bind(C)
      import
      type(HCL_Field), intent(inout) :: field
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_halo(halo, ierror) bind(C)
      import
      type(HCL_Halo), intent(in) :: halo
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_halo_by(halo, op, ierror) bind(C)
      import
      type(HCL_Halo), intent(in) :: halo
      integer(c_int), intent(in) :: op
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_halo_by_threads(halo, threads, ierror) bind(C)
      import
      type(HCL_Halo), intent(in) :: halo
      integer(c_int), intent(in) :: threads
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_own_halo(halo, ierror) bind(C)
      import
      type(HCL_Halo), intent(inout) :: halo
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine of_halo_in_numbers(halo, statistics, ierror) bind(C)
      import
      type(HCL_Halo), intent(in) :: halo
      type(HCL_Statistics), intent(out) :: statistics
      integer(c_int), intent(out), optional :: ierror
    end subroutine
  end interface

  !> HCL_Field_free(field [, ierror]): halos made of it stay good. Local.
  procedure(of_field), bind(C, name="halocline_f_field_free") :: HCL_Field_free
  !> HCL_Halo_start(halo [, ierror]): own points must not be changed and halos not be touched until it is complete.
  !! Kernels on a device that touch the fields must be done by then; HCL_Halo_start_on waits for those on a stream.
  procedure(of_halo), bind(C, name="halocline_f_halo_start") :: HCL_Halo_start
  !> HCL_Halo_wait(halo [, ierror]): until what was started is complete.
  procedure(of_halo), bind(C, name="halocline_f_halo_wait") :: HCL_Halo_wait
  !> HCL_Halo_exchange(halo [, ierror]): start and wait.
  procedure(of_halo), bind(C, name="halocline_f_halo_exchange") :: HCL_Halo_exchange
  !> HCL_Halo_accumulate(halo, op [, ierror]): the other way round: what all processes have in their halos is added to
  !! the owners' points, or as op says. Arrays of a derived type need an `element`. Collective the first time.
  procedure(of_halo_by), bind(C, name="halocline_f_halo_accumulate") :: HCL_Halo_accumulate
  !> HCL_Halo_start_accumulate(halo, op [, ierror]): its beginning, which HCL_Halo_wait or HCL_Halo_test completes.
  procedure(of_halo_by), bind(C, name="halocline_f_halo_start_accumulate") :: HCL_Halo_start_accumulate
  !> HCL_Halo_set_threads(halo, threads [, ierror]): so many threads of the library, the one that calls among them,
  !! pack, copy and unpack from now on. Outside of parallel regions, or by one thread of them. Local.
  procedure(of_halo_by_threads), bind(C, name="halocline_f_halo_set_threads") :: HCL_Halo_set_threads
  !> HCL_Halo_verify(halo [, ierror]): tries it out on numbers that tell every point from every other, and puts the old
  !! values back. Collective.
  procedure(of_halo), bind(C, name="halocline_f_halo_verify") :: HCL_Halo_verify
  !> HCL_Halo_free(halo [, ierror]): it must not be under way. Local.
  procedure(of_own_halo), bind(C, name="halocline_f_halo_free") :: HCL_Halo_free
  !> HCL_Halo_statistics(halo, statistics [, ierror]): what this process has exchanged. Local.
  procedure(of_halo_in_numbers), bind(C, name="halocline_f_halo_statistics") :: HCL_Halo_statistics

  !> HCL_Halo_start_on(halo, stream [, ierror]): start in the order of a stream of the device that the fields lie on.
  interface HCL_Halo_start_on
    subroutine halo_start_on(halo, stream, ierror) bind(C, name="halocline_f_halo_start_on")
      import
      type(HCL_Halo), intent(in) :: halo
      type(c_ptr), value :: stream
      integer(c_int), intent(out), optional :: ierror
    end subroutine
  end interface

  !> HCL_Halo_wait_on(halo, stream [, ierror]): what the stream gets from now on sees the halos.
  interface HCL_Halo_wait_on
    subroutine halo_wait_on(halo, stream, ierror) bind(C, name="halocline_f_halo_wait_on")
      import
      type(HCL_Halo), intent(in) :: halo
      type(c_ptr), value :: stream
      integer(c_int), intent(out), optional :: ierror
    end subroutine
  end interface

  interface  ! for what follows
    include "cart_mesh_create_call.inc"
    include "cart_slabs_create_call.inc"
    include "halo_text_report.inc"
    include "halo_text_schedule.inc"

    function halo_test(halo, flag) result(code) bind(C, name="HCL_Halo_test")
      import
      type(HCL_Halo), value :: halo
      integer(c_int), intent(inout) :: flag
      integer(c_int) :: code
    end function

    function version(major, minor, patch) result(code) bind(C, name="HCL_Version")
      import
      integer(c_int), intent(out) :: major, minor, patch
      integer(c_int) :: code
    end function

    function error_string(errorcode, string, resultlen) result(code) bind(C, name="HCL_Error_string")
      import
      integer(c_int), value :: errorcode
      character(kind=c_char), intent(inout) :: string(*)
      integer(c_int), intent(inout) :: resultlen
      integer(c_int) :: code
    end function
  end interface

contains

  include "cart_mesh_create.inc"
  include "cart_slabs_create.inc"

  !> The offsets +-1 along each dimension, one a column.
  pure function HCL_Stencil_nearest(ndims) result(offsets)
    integer, intent(in) :: ndims
    integer :: offsets(ndims, 2 * ndims), d
    offsets = 0
    do d = 1, ndims
      offsets(d, 2 * d - 1) = 1
      offsets(d, 2 * d) = -1
    end do
  end function

  !> All offsets of -1, 0 and 1 but the zero, one a column.
  pure function HCL_Stencil_moore(ndims) result(offsets)
    integer, intent(in) :: ndims
    integer :: offsets(ndims, 3**ndims - 1), number, column, d
    column = 0
    do number = 0, 3**ndims - 1
      if (number == (3**ndims - 1) / 2) cycle  ! the middle one is zero
      column = column + 1
      do d = 1, ndims
        offsets(d, column) = mod(number / 3**(d - 1), 3) - 1
      end do
    end do
  end function

  !> HCL_Halo_test(halo, flag [, ierror]): is nothing under way (any more)? If something is, it moves on.
  subroutine HCL_Halo_test(halo, flag, ierror)
    type(HCL_Halo), intent(in) :: halo
    logical, intent(out) :: flag
    integer, intent(out), optional :: ierror
    integer(c_int) :: done, code
    done = 0
    code = halo_test(halo, done)
    flag = done /= 0
    if (present(ierror)) ierror = code
  end subroutine

  !> HCL_Halo_report(halo, text [, ierror]): the statistics of all processes, for people. Collective.
  subroutine HCL_Halo_report(halo, text, ierror)
    type(HCL_Halo), intent(in) :: halo
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(kind=c_char) :: nothing(1)
    character(kind=c_char), allocatable :: characters(:)
    integer(c_int) :: length, code
    length = 0
    code = halo_report(halo, 0_c_int, nothing, length)
    if (code == MPI_SUCCESS) then
      allocate (characters(length + 1))
      code = halo_report(halo, length + 1, characters, length)
    end if
    if (code == MPI_SUCCESS) then
      text = text_of(characters, length)
    else
      text = ""
    end if
    if (present(ierror)) ierror = code
  end subroutine

  !> HCL_Halo_schedule(halo, schedule [, ierror]): how blocks get from node to node: direct, node, mixed, torus,
  !! torus-direct or basis.
  subroutine HCL_Halo_schedule(halo, schedule, ierror)
    type(HCL_Halo), intent(in) :: halo
    character(:), allocatable, intent(out) :: schedule
    integer, intent(out), optional :: ierror
    integer(c_int), parameter :: longest = 32
    character(kind=c_char) :: characters(longest)
    integer(c_int) :: length, code
    length = 0
    code = halo_schedule(halo, longest, characters, length)
    schedule = text_of(characters, min(length, longest - 1))
    if (present(ierror)) ierror = code
  end subroutine

  !> HCL_Error_string(errorcode, string, resultlen [, ierror]): the text of an error code; of those of this library,
  !! MPI_Error_string knows it, too, except in MPICH 4.0.
  subroutine HCL_Error_string(errorcode, string, resultlen, ierror)
    integer, intent(in) :: errorcode
    character(*), intent(out) :: string  ! MPICH has MPI_MAX_ERROR_STRING of 511 in mpif.h and of 512 in mpi_f08
    integer, intent(out) :: resultlen
    integer, intent(out), optional :: ierror
    character(kind=c_char) :: characters(MPI_MAX_ERROR_STRING + 1)
    integer(c_int) :: length, code
    length = 0
    code = error_string(errorcode, characters, length)
    string = text_of(characters, length)
    resultlen = min(length, len(string))
    if (present(ierror)) ierror = code
  end subroutine

  !> HCL_Version(major, minor, patch [, ierror]): the version of the library that was loaded, at any time.
  subroutine HCL_Version(major, minor, patch, ierror)
    integer, intent(out) :: major, minor, patch
    integer, intent(out), optional :: ierror
    integer(c_int) :: loaded(3), code
    code = version(loaded(1), loaded(2), loaded(3))
    major = loaded(1)
    minor = loaded(2)
    patch = loaded(3)
    if (present(ierror)) ierror = code
  end subroutine

  pure function text_of(characters, length) result(text)
    character(kind=c_char), intent(in) :: characters(:)
    integer(c_int), intent(in) :: length
    character(length) :: text
    integer :: i
    do i = 1, length
      text(i:i) = characters(i)
    end do
  end function

end module halocline
