! Random fields, and what each of their bytes must be: told by nothing but the coordinates of a point in the mesh.
module random_fields
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int64
  use halocline
  use random_arrays
  use trials
  implicit none
  private
  public :: ground, random_field, make_field, fill_field, wrong_bytes, first_bytes, free_field

contains

  ! Widths and type are those of all ranks, or those of another field; where an array lies is each rank's own business.
  ! Collective.
  subroutine make_field(field, here, number, common, own, like)
    type(random_field), intent(inout) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: number
    type(random_stream), intent(inout) :: common, own
    type(random_field), intent(in), optional :: like
    integer :: d
    field%dimensions = here%dimensions
    field%number = number
    field%extents = here%extents
    allocate (field%low(here%dimensions), field%high(here%dimensions), field%strides(here%dimensions))
    if (present(like)) then
      field%low = like%low
      field%high = like%high
      field%kind = like%kind
      field%of_library = like%of_library
      field%components = like%components
    else
      do d = 1, here%dimensions
        field%low(d) = random_in(common, 0, here%widest)
        field%high(d) = random_in(common, 0, here%widest)
      end do
      field%kind = random_in(common, 1, 8)
      field%of_library = here%knows_mesh .and. coin(common, 2)
      if (.not. field%of_library) field%components = merge(random_in(common, 1, 3), 0, coin(common, 3))
    end if
    if (field%of_library) then
      call create(field, here%comm, modulo(field%kind, 4), coin(common, 3))
    else
      call attach(field, field%kind, own)
    end if
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
          bytes(i) = nobodys(here%coords, point, i)
        end if
      end do
      more = next_point(field, point)
    end do
  end subroutine

  ! Bytes that are not what they must be after an exchange in those directions, in which ghost points beyond open borders
  ! travel along or not, and bytes around it that were touched.
  integer function wrong_bytes(field, here, directions, carries, time) result(wrong)
    type(random_field), intent(in) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: directions(:, :), time
    logical, intent(in) :: carries
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
          expected = ghost(field, here, directions, carries, point, i)
        end if
        if (bytes(i) /= expected) wrong = wrong + 1
        if (allocated(outside)) outside(transfer(c_loc(bytes(i)), begin) - begin + 1) = .false.
      end do
      more = next_point(field, point)
    end do
    if (allocated(outside)) wrong = wrong + count(outside .and. field%memory /= guard)
  end function

  ! Of the point with which its memory begins.
  function first_bytes(field) result(bytes)
    type(random_field), intent(in) :: field
    integer(int8), pointer :: bytes(:)
    bytes => bytes_at(field, 1 - field%low)
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

  ! What a point of the halo had at first that is not shown: this one, or another process's beyond the same border.
  integer(int8) function ghost(field, here, directions, carries, point, i)
    type(random_field), intent(in) :: field
    type(ground), intent(in) :: here
    integer, intent(in) :: directions(:, :), point(:), i
    logical, intent(in) :: carries
    integer, dimension(size(point)) :: step, next, coords, extents, there
    logical :: filled
    integer :: column
    step = side(field, point)
    filled = .false.
    do column = 1, size(directions, 2)
      filled = filled .or. all(directions(:, column) == step)
    end do
    next = here%coords + step
    where (.not. here%periods .and. (next < 0 .or. next >= here%dims)) step = 0
    if (.not. (carries .and. filled)) step = 0
    coords = modulo(here%coords + step, here%dims)
    extents = here%mesh / here%dims + merge(1, 0, coords < modulo(here%mesh, here%dims))
    there = point + merge(extents, merge(-field%extents, 0, step > 0), step < 0)
    ghost = nobodys(coords, there, i)
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

  integer(int8) function nobodys(coords, point, i)
    integer, intent(in) :: coords(:), point(:), i
    integer(int64) :: index
    integer :: d
    index = 1234567
    do d = 1, size(point)
      index = modulo(index * 48271 + coords(d) * 1009 + point(d) + 100, 2147483647_int64)
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

end module random_fields
