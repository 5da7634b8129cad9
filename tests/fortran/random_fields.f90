! Fields of random types, ranks and strides, and what each of their bytes must be: told by nothing but the coordinates
! of a point in the mesh.
module random_fields
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use mpi_f08
  use halocline
  use expectations
  use trials
  implicit none
  private
  public :: ground, random_field, make_field, fill_field, wrong_bytes, free_field

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
    integer :: dimensions = 0, components = 0, bytes = 0, number = 0
    integer, allocatable :: low(:), high(:), extents(:)
    integer(c_intptr_t) :: address = 0
    integer(c_intptr_t), allocatable :: strides(:)
    integer(int8), pointer :: memory(:) => null()  ! of the program; otherwise it is the library's
  end type

contains

  ! Widths and type are those of all ranks; where an array lies is each rank's own business. Collective.
  subroutine make_field(field, here, number, common, own)
    type(random_field), intent(inout) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: number
    type(random_stream), intent(inout) :: common, own
    integer :: d, kind
    field%dimensions = here%dimensions
    field%number = number
    field%extents = here%extents
    allocate (field%low(here%dimensions), field%high(here%dimensions), field%strides(here%dimensions))
    do d = 1, here%dimensions
      field%low(d) = random_in(common, 0, here%widest)
      field%high(d) = random_in(common, 0, here%widest)
    end do
    kind = random_in(common, 1, 8)
    if (here%knows_mesh .and. coin(common, 2)) then
      call create(field, here%comm, modulo(kind, 4), coin(common, 3))
    else
      field%components = merge(random_in(common, 1, 3), 0, coin(common, 3))
      call attach(field, kind, own)
    end if
  end subroutine

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

  ! Own points get the values of their mesh points at that time, the halo those of nobody.
  subroutine fill_field(field, here, time)
    type(random_field), intent(in) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: time
    integer :: point(field%dimensions), i
    integer(int8), pointer :: bytes(:)
    logical :: more
    point = 1 - field%low
    more = .true.
    do while (more)
      bytes => bytes_at(field, point)
      do i = 1, size(bytes)
        if (all(side(field, point) == 0)) then
          bytes(i) = value_of(field, here, point, time, i)
        else
          bytes(i) = nobodys(point, i)
        end if
      end do
      more = next_point(field, point)
    end do
  end subroutine

  ! Bytes that are not what they must be after an exchange in those directions, and bytes around it that were touched.
  integer function wrong_bytes(field, here, directions, time) result(wrong)
    type(random_field), intent(in) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: directions(:, :), time
    integer :: point(field%dimensions), i
    integer(int8) :: expected
    integer(int8), pointer :: bytes(:)
    logical, allocatable :: outside(:)
    logical :: more
    integer(c_intptr_t) :: begin
    if (associated(field%memory)) then
      allocate (outside(size(field%memory)), source=.true.)
      begin = transfer(c_loc(field%memory(1)), begin)
    end if
    wrong = 0
    point = 1 - field%low
    more = .true.
    do while (more)
      bytes => bytes_at(field, point)
      do i = 1, size(bytes)
        if (shows(field, here, directions, point)) then
          expected = value_of(field, here, point, time, i)
        else
          expected = nobodys(point, i)
        end if
        if (bytes(i) /= expected) wrong = wrong + 1
        if (allocated(outside)) outside(transfer(c_loc(bytes(i)), begin) - begin + 1) = .false.
      end do
      more = next_point(field, point)
    end do
    if (allocated(outside)) wrong = wrong + count(outside .and. field%memory /= guard)
  end function

  subroutine free_field(field)
    type(random_field), intent(inout) :: field
    call HCL_Field_free(field%handle)
    if (associated(field%memory)) deallocate (field%memory)
  end subroutine

  ! -1, 0 or 1 for each dimension: before, among or behind the own points, which count from 1.
  pure function side(field, point)
    type(random_field), intent(in) :: field
    integer, intent(in) :: point(:)
    integer :: side(size(point))
    side = merge(-1, merge(1, 0, point > field%extents), point < 1)
  end function

  logical function shows(field, here, directions, point)
    type(random_field), intent(in) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: directions(:, :), point(:)
    integer :: where(size(point)), neighbour(size(point)), column
    where = side(field, point)
    shows = all(where == 0)
    if (shows) return
    neighbour = here%coords + where
    if (any(.not. here%periods .and. (neighbour < 0 .or. neighbour >= here%dims))) return
    do column = 1, size(directions, 2)
      shows = shows .or. all(directions(:, column) == where)
    end do
  end function

  function bytes_at(field, point) result(bytes)
    type(random_field), intent(in) :: field
    integer, intent(in) :: point(:)
    integer(int8), pointer :: bytes(:)
    integer(c_intptr_t) :: address
    address = field%address + sum((point - 1 + field%low) * field%strides)
    call c_f_pointer(transfer(address, c_null_ptr), bytes, [field%bytes * max(field%components, 1)])
  end function

  ! Of the mesh point at these coordinates, wrapped around where it is periodic.
  integer(int8) function value_of(field, here, point, time, i)
    type(random_field), intent(in) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: point(:), time, i
    integer(int64) :: index
    integer :: d
    index = time * 64 + field%number
    do d = 1, size(point)
      index = index * 40009 + modulo(here%first(d) + point(d) - 2, here%mesh(d))
      index = modulo(index * 48271 + 11, 2147483647_int64)
    end do
    value_of = mixed(index, i)
  end function

  integer(int8) function nobodys(point, i)
    integer, intent(in) :: point(:), i
    integer(int64) :: index
    integer :: d
    index = 1234567
    do d = 1, size(point)
      index = modulo(index * 48271 + point(d) + 100, 2147483647_int64)
    end do
    nobodys = mixed(index, i)
  end function

  integer(int8) function mixed(index, i)
    integer(int64), intent(in) :: index
    integer, intent(in) :: i
    mixed = int(modulo(modulo(index * 40692 + i * 7919_int64, 2147483399_int64) / 1009, 256_int64) - 128, int8)
  end function

  logical function next_point(field, point)
    type(random_field), intent(in) :: field
    integer, intent(inout) :: point(:)
    integer :: d
    next_point = .true.
    do d = 1, size(point)
      point(d) = point(d) + 1
      if (point(d) <= field%extents(d) + field%high(d)) return
      point(d) = 1 - field%low(d)
    end do
    next_point = .false.
  end function

  subroutine swap(a, b)
    integer, intent(inout) :: a, b
    integer :: c
    c = a
    a = b
    b = c
  end subroutine

end module random_fields
