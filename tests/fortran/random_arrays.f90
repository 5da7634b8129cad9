! Arrays of random types, ranks and strides: of the program, and of the library.
module random_arrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use mpi_f08
  use halocline
  use expectations
  use trials
  implicit none
  private
  public :: ground, random_field, create, attach, guard

  integer(int8), parameter :: guard = 90
  integer, parameter :: margin = 64

  ! A communicator, and the box of points that this process has of its mesh.
  type ground
    type(MPI_Comm) :: comm
    integer :: dimensions = 0, widest = 1
    integer, allocatable :: mesh(:), first(:), extents(:), dims(:), coords(:), stencil(:, :)
    logical, allocatable :: periods(:)
    logical :: knows_mesh = .false.
  end type

  type random_field
    type(HCL_Field) :: handle
    integer :: dimensions = 0, kind = 0, components = 0, bytes = 0, number = 0
    logical :: of_library = .false.
    integer, allocatable :: low(:), high(:), extents(:)
    integer(c_intptr_t) :: address = 0
    integer(c_intptr_t), allocatable :: strides(:)
    integer(int8), pointer :: memory(:) => null()  ! of the program; otherwise it is the library's
  end type

contains

  subroutine create(field, comm, kind, private_memory)
    type(random_field), intent(inout) :: field
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: kind
    logical, intent(in) :: private_memory
    type(MPI_Info) :: info
    call MPI_Info_create(info)
    if (private_memory) call MPI_Info_set(info, "halocline_field", "private")
    select case (kind)
    case (0)
      field%bytes = 1
      call create_int8(field, comm, field%low, field%high, info)
    case (1)
      field%bytes = 4
      call create_real32(field, comm, field%low, field%high, info)
    case (2)
      field%bytes = 8
      call create_int64(field, comm, field%low, field%high, info)
    case default
      field%bytes = 16
      call create_complex64(field, comm, field%low, field%high, info)
    end select
    call MPI_Info_free(info)
  end subroutine

  subroutine create_int8(field, comm, low, high, info)
    type(random_field), intent(inout) :: field
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: low(:), high(:)
    type(MPI_Info), intent(in) :: info
    integer(int8), pointer, asynchronous :: q1(:), q2(:, :), q3(:, :, :), q4(:, :, :, :)
    include "create_pointer.inc"
  end subroutine

  subroutine create_int64(field, comm, low, high, info)
    type(random_field), intent(inout) :: field
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: low(:), high(:)
    type(MPI_Info), intent(in) :: info
    integer(int64), pointer, asynchronous :: q1(:), q2(:, :), q3(:, :, :), q4(:, :, :, :)
    include "create_pointer.inc"
  end subroutine

  subroutine create_real32(field, comm, low, high, info)
    type(random_field), intent(inout) :: field
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: low(:), high(:)
    type(MPI_Info), intent(in) :: info
    real(real32), pointer, asynchronous :: q1(:), q2(:, :), q3(:, :, :), q4(:, :, :, :)
    include "create_pointer.inc"
  end subroutine

  subroutine create_complex64(field, comm, low, high, info)
    type(random_field), intent(inout) :: field
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: low(:), high(:)
    type(MPI_Info), intent(in) :: info
    complex(real64), pointer, asynchronous :: q1(:), q2(:, :), q3(:, :, :), q4(:, :, :, :)
    include "create_pointer.inc"
  end subroutine

  ! The address of the first point of all, and of the next ones along each dimension.
  subroutine lies_at(field, first, nexts, bounds_are_right)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: first, nexts(:)
    logical, intent(in) :: bounds_are_right
    integer :: d
    call expect(bounds_are_right, "own points count from 1")
    field%address = transfer(first, field%address)
    do d = 1, size(nexts)
      field%strides(d) = transfer(nexts(d), field%address) - field%address
    end do
  end subroutine

  ! A section of an array with room around and between its points, forwards or backwards.
  subroutine attach(field, kind, own)
    type(random_field), intent(inout) :: field
    integer, intent(in) :: kind
    type(random_stream), intent(inout) :: own
    integer, parameter :: sizes(8) = [1, 2, 4, 8, 4, 8, 8, 16]
    integer :: shape5(5), f(4), l(4), s(4), points, d, c
    integer(c_intptr_t) :: pitch
    field%bytes = sizes(kind)
    c = max(field%components, 1)
    shape5 = 1
    shape5(1) = c
    f = 1
    l = 1
    s = 1
    do d = 1, field%dimensions
      points = field%extents(d) + field%low(d) + field%high(d)
      s(d) = merge(1, random_in(own, 1, 3), coin(own, 2))
      f(d) = 1 + random_in(own, 0, 2)
      l(d) = f(d) + (points - 1) * s(d)
      shape5(d + 1) = l(d) + random_in(own, 0, 2)
      if (.not. coin(own, 4)) cycle
      call swap(f(d), l(d))
      s(d) = -s(d)
    end do
    allocate (field%memory(2 * margin + field%bytes * product(shape5)), source=guard)
    field%address = transfer(c_loc(field%memory(margin + 1)), field%address)
    pitch = field%bytes * c
    do d = 1, field%dimensions
      field%strides(d) = pitch * s(d)
      field%address = field%address + pitch * (f(d) - 1)
      pitch = pitch * shape5(d + 1)
    end do
    call attach_memory(field, kind, shape5, f, l, s)
  end subroutine

  subroutine attach_memory(field, kind, shape5, f, l, s)
    type(random_field), intent(inout) :: field
    integer, intent(in) :: kind, shape5(5), f(4), l(4), s(4)
    type(c_ptr) :: at
    at = c_loc(field%memory(margin + 1))
    select case (kind)
    case (1)
      call attach_int8(field, at, shape5, f, l, s, field%low, field%high)
    case (2)
      call attach_int16(field, at, shape5, f, l, s, field%low, field%high)
    case (3)
      call attach_int32(field, at, shape5, f, l, s, field%low, field%high)
    case (4)
      call attach_int64(field, at, shape5, f, l, s, field%low, field%high)
    case (5)
      call attach_real32(field, at, shape5, f, l, s, field%low, field%high)
    case (6)
      call attach_real64(field, at, shape5, f, l, s, field%low, field%high)
    case (7)
      call attach_complex32(field, at, shape5, f, l, s, field%low, field%high)
    case default
      call attach_complex64(field, at, shape5, f, l, s, field%low, field%high)
    end select
  end subroutine

  subroutine attach_int8(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    integer(int8), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_int16(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    integer(int16), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_int32(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    integer(int32), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_int64(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    integer(int64), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_real32(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    real(real32), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_real64(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    real(real64), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_complex32(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    complex(real32), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine attach_complex64(field, at, shape5, f, l, s, low, high)
    type(random_field), intent(inout) :: field
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: shape5(5), f(4), l(4), s(4), low(:), high(:)
    complex(real64), pointer, asynchronous :: p(:, :, :, :, :)
    call c_f_pointer(at, p, shape5)
    include "attach_section.inc"
  end subroutine

  subroutine swap(a, b)
    integer, intent(inout) :: a, b
    integer :: c
    c = a
    a = b
    b = c
  end subroutine

end module random_arrays
