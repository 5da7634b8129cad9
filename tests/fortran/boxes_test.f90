! Halos of several boxes a process: random boxes of a mesh, with holes, point by point; boxes connected by hand; and
! what is refused.
program boxes_test
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use halocline
  use halocline_boxes
  use expectations
  use trials
  implicit none

  type box_array
    integer(int64), allocatable :: values(:, :)
  end type

  integer, parameter :: nobody = 0, untouched_point = -1

  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call random_boxes()
  call two_sides_that_are_connected()
  call slabs_of_any_sizes()
  call refusals()
  call finish()

contains

  ! A mesh in rows of random heights, each in pieces of random lengths, of random processes; some belong to nobody.
  subroutine cut(random, mesh, owners, first, extents)
    type(random_stream), intent(inout) :: random
    integer, intent(in) :: mesh(2)
    integer, allocatable, intent(out) :: owners(:), first(:, :), extents(:, :)
    integer :: row, column, height, length
    allocate (owners(0), first(2, 0), extents(2, 0))
    row = 1
    do while (row <= mesh(1))
      height = min(random_in(random, 1, 5), mesh(1) - row + 1)
      column = 1
      do while (column <= mesh(2))
        length = min(random_in(random, 1, 6), mesh(2) - column + 1)
        if (.not. coin(random, 6)) then
          owners = [owners, random_in(random, 0, world_size() - 1)]
          first = reshape([first, row, column], [2, size(owners)])
          extents = reshape([extents, height, length], [2, size(owners)])
        end if
        column = column + length
      end do
      row = row + height
    end do
  end subroutine

  ! Which points somebody owns: a number for each that is no other's, nobody for the rest.
  function painted(mesh, first, extents) result(numbers)
    integer, intent(in) :: mesh(2), first(:, :), extents(:, :)
    integer(int64) :: numbers(mesh(1), mesh(2))
    integer :: b, i, j
    numbers = nobody
    do b = 1, size(first, 2)
      do j = first(2, b), first(2, b) + extents(2, b) - 1
        do i = first(1, b), first(1, b) + extents(1, b) - 1
          numbers(i, j) = i + 1000_int64 * j
        end do
      end do
    end do
  end function

  ! What a ghost point shows, or untouched_point.
  integer(int64) function shown(numbers, periods, point)
    integer(int64), intent(in) :: numbers(:, :)
    logical, intent(in) :: periods(2)
    integer, intent(in) :: point(2)
    integer :: at(2)
    at = merge(modulo(point - 1, shape(numbers)) + 1, point, periods)
    shown = untouched_point
    if (any(at < 1) .or. any(at > shape(numbers))) return
    if (numbers(at(1), at(2)) /= nobody) shown = numbers(at(1), at(2))
  end function

  subroutine random_boxes()
    type(random_stream) :: random
    type(HCL_Boxes) :: boxes
    integer, allocatable :: owners(:), first(:, :), extents(:, :), own(:)
    integer :: mesh(2), b, count
    logical :: periods(2)
    call trials_begin("random boxes in Fortran", 31, 20)
    do while (trials_next())
      call random%seed(trials_seed(), 0)
      mesh = [random_in(random, 1, 17), random_in(random, 1, 13)]
      periods = [coin(random, 2), coin(random, 2)]
      call cut(random, mesh, owners, first, extents)
      own = pack([(b, b=1, size(owners))], owners == world_rank())
      if (coin(random, 2)) then
        call HCL_Boxes_gather(MPI_COMM_WORLD, int(mesh, int64), periods, int(first(:, own), int64), &
          int(extents(:, own), int64), boxes)
        call HCL_Boxes_size(boxes, count)
        call expect(count == size(owners), "all boxes are gathered")
      else
        call HCL_Boxes_create(mesh, periods, owners, first, extents, boxes)
        call expect_boxes(boxes, owners, first, extents)
      end if
      call try(boxes, painted(mesh, first, extents), periods, first(:, own), extents(:, own), random)
      call HCL_Boxes_free(boxes)
    end do
  end subroutine

  subroutine expect_boxes(boxes, owners, first, extents)
    type(HCL_Boxes), intent(in) :: boxes
    integer, intent(in) :: owners(:), first(:, :), extents(:, :)
    integer :: b, owner, its_first(2)
    integer(int64) :: begin(2), points(2)
    integer :: its_extents(2)
    do b = 1, size(owners)
      call HCL_Boxes_get(boxes, b, owner, its_first, its_extents)
      call expect(owner == owners(b) .and. all(its_first == first(:, b)) .and. all(its_extents == extents(:, b)), &
        "a box is what it was made of")
      call HCL_Boxes_get(boxes, b, owner, begin, points)
      call expect(all(begin == first(:, b)) .and. all(points == extents(:, b)), "boxes are the same in 64 bits")
    end do
  end subroutine

  subroutine try(boxes, numbers, periods, first, extents, random)
    type(HCL_Boxes), intent(in) :: boxes
    integer(int64), intent(in) :: numbers(:, :)
    logical, intent(in) :: periods(2)
    integer, intent(in) :: first(:, :), extents(:, :)
    type(random_stream), intent(inout) :: random
    integer, parameter :: nfields = 2
    type(box_array), allocatable, target, asynchronous :: arrays(:, :)
    type(HCL_Field), allocatable :: fields(:, :)
    type(HCL_Box_halo) :: halo
    type(HCL_Statistics) :: statistics
    integer :: low(2, nfields), high(2, nfields), b, f, time
    logical :: done
    do f = 1, nfields
      low(:, f) = [random_in(random, 0, 4), random_in(random, 0, 9)]
      high(:, f) = [random_in(random, 0, 9), random_in(random, 0, 3)]
    end do
    allocate (arrays(size(first, 2), nfields), fields(size(first, 2), nfields))
    do f = 1, nfields
      do b = 1, size(first, 2)
        allocate (arrays(b, f)%values(1 - low(1, f):extents(1, b) + high(1, f), 1 - low(2, f):extents(2, b) + high(2, f)))
        call HCL_Field_attach(arrays(b, f)%values, fields(b, f), halo=low(:, f), halo_high=high(:, f))
      end do
    end do
    call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, fields, halo)
    do f = 1, nfields
      do b = 1, size(first, 2)
        call HCL_Field_free(fields(b, f))
      end do
    end do
    do time = 1, 2
      do f = 1, nfields
        do b = 1, size(first, 2)
          call fill_own(arrays(b, f)%values, numbers, first(:, b), extents(:, b), low(:, f), time * f)
        end do
      end do
      call MPI_Barrier(MPI_COMM_WORLD)
      if (time == 1) then
        call HCL_Box_halo_exchange(halo)
      else
        call HCL_Box_halo_start(halo)
        call HCL_Box_halo_test(halo, done)
        call HCL_Box_halo_wait(halo)
        call HCL_Box_halo_test(halo, done)
        call expect(done, "what was waited for is done")
      end if
      do f = 1, nfields
        do b = 1, size(first, 2)
          call expect(wrong_ones(arrays(b, f)%values, numbers, periods, first(:, b), extents(:, b), low(:, f), time * f) &
            == 0, "halos show what lies there")
        end do
      end do
      call MPI_Barrier(MPI_COMM_WORLD)
    end do
    do f = 1, nfields
      do b = 1, size(first, 2)
        arrays(b, f)%values = merge(f, 7 * f, arrays(b, f)%values /= untouched_point)  ! seven where nothing is shown
      end do
    end do
    call HCL_Box_halo_accumulate(halo, HCL_ACCUMULATE_MAX)
    do f = 1, nfields
      do b = 1, size(first, 2)
        call expect(all(arrays(b, f)%values(1:extents(1, b), 1:extents(2, b)) == f), "only what is shown comes back")
      end do
    end do
    call HCL_Box_halo_start_accumulate(halo, HCL_ACCUMULATE_SUM)
    call HCL_Box_halo_wait(halo)
    do f = 1, nfields
      do b = 1, size(first, 2)
        call expect(all(modulo(arrays(b, f)%values(1:extents(1, b), 1:extents(2, b)), f) == 0), "sums are whole")
      end do
    end do
    call HCL_Box_halo_verify(halo)
    call HCL_Box_halo_statistics(halo, statistics)
    call expect(statistics%exchanges == 4, "exchanges are counted")
    call HCL_Box_halo_free(halo)
  end subroutine

  subroutine fill_own(values, numbers, first, extents, low, salt)
    integer, intent(in) :: first(2), extents(2), low(2), salt
    integer(int64), intent(inout) :: values(1 - low(1):, 1 - low(2):)
    integer(int64), intent(in) :: numbers(:, :)
    values = untouched_point
    values(1:extents(1), 1:extents(2)) = salt * &
      numbers(first(1):first(1) + extents(1) - 1, first(2):first(2) + extents(2) - 1)
  end subroutine

  integer function wrong_ones(values, numbers, periods, first, extents, low, salt) result(wrong)
    integer, intent(in) :: first(2), extents(2), low(2), salt
    integer(int64), intent(in) :: values(1 - low(1):, 1 - low(2):), numbers(:, :)
    logical, intent(in) :: periods(2)
    integer(int64) :: expected
    integer :: i, j
    wrong = 0
    do j = 1 - low(2), ubound(values, 2)
      do i = 1 - low(1), ubound(values, 1)
        expected = shown(numbers, periods, first + [i, j] - 1)
        if (expected /= untouched_point) expected = expected * salt
        if (values(i, j) /= expected) wrong = wrong + 1
      end do
    end do
    if (any(ubound(values) < extents)) wrong = wrong + 1
  end function

  ! Two squares of one process: beyond the lower end of dimension 1 of the second lies the upper end of dimension 2 of
  ! the first, turned round.
  subroutine two_sides_that_are_connected()
    integer, parameter :: n = 3
    integer(int64), asynchronous :: a(0:n + 1, 0:n + 1), b(0:n + 1, 0:n + 1)
    type(HCL_Boxes) :: boxes
    type(HCL_Field), allocatable :: fields(:, :)
    type(HCL_Box_halo) :: halo
    integer :: i, j, last, mine
    last = world_size() - 1
    call HCL_Boxes_connect([0, last], reshape([n, n, n, n], [2, 2]), [2], reshape([0, 1], [2, 1]), &
      reshape([1, n], [2, 1]), [1], reshape([n, n], [2, 1]), boxes, axes=reshape([2, -1], [2, 1]))
    a = untouched_point
    b = untouched_point
    do j = 1, n
      do i = 1, n
        a(i, j) = 10 * i + j
        b(i, j) = -10 * i - j
      end do
    end do
    mine = 0
    if (world_rank() == 0) mine = mine + 1
    if (world_rank() == last) mine = mine + 1
    allocate (fields(mine, 1))
    if (world_rank() == 0) call HCL_Field_attach(a, fields(1, 1))
    if (world_rank() == last) call HCL_Field_attach(b, fields(mine, 1))
    call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, fields, halo, directions=HCL_Stencil_moore(2))
    call HCL_Box_halo_exchange(halo)
    if (world_rank() == last) then
      call expect(all(b(0, 1:n) == [(10 * (n + 1 - j) + n, j=1, n)]), "the other side, turned round")
      call expect(count(b == untouched_point) == (n + 2)**2 - n**2 - n, "nothing else was touched")
    end if
    call expect(all(a(0, :) == untouched_point), "nothing is connected to the first square")
    call HCL_Box_halo_verify(halo)
    call HCL_Box_halo_free(halo)
    call HCL_Boxes_free(boxes)
    do i = 1, mine
      call HCL_Field_free(fields(i, 1))
    end do
  end subroutine

  ! Process i of a row owns i + 1 planes, counted from 0.
  subroutine slabs_of_any_sizes()
    type(MPI_Comm) :: cart
    real(real64), pointer, asynchronous :: u(:, :) => null()
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    integer, allocatable :: slabs(:)
    integer :: first(2), extents(2), mesh(2), rank, i, code
    allocate (slabs(world_size() + 1))
    slabs = [5, (i, i=1, world_size())]
    call HCL_Cart_slabs_create(MPI_COMM_WORLD, [1, world_size()], slabs, [.true., .true.], cart, &
      stencil=HCL_Stencil_moore(2))
    call HCL_Cart_mesh_get(cart, mesh)
    call expect(all(mesh == [5, sum(slabs(2:))]), "slabs make up the mesh")
    do rank = 0, world_size() - 1
      call HCL_Cart_box(cart, first, extents, rank)
      call expect(all(extents == [5, rank + 1]) .and. first(2) == 1 + rank * (rank + 1) / 2, "slabs as they were told")
    end do
    call HCL_Field_create(cart, u, field)
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Halo_verify(halo)
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
    call MPI_Comm_free(cart)
    call HCL_Cart_slabs_create(MPI_COMM_WORLD, [1, world_size()], int(slabs(2:), int64), [.true., .true.], cart, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "the argument slabs has")
    call expect(cart == MPI_COMM_NULL, "no communicator was made")
  end subroutine

  ! What is wrong on the last rank alone is refused on all.
  subroutine refusals()
    real(real64), asynchronous :: u(4, 6)
    type(HCL_Boxes) :: boxes, none
    type(HCL_Box_halo) :: halo
    type(HCL_Field) :: fields(1, 1), no_fields(0, 1), free(1, 1)
    integer :: mesh(2), first(2, 1), extents(2, 1), wrong(2, 1), code, number
    logical :: bad
    bad = world_rank() == world_size() - 1
    mesh = [2 * world_size(), 4]
    first(:, 1) = [2 * world_rank() + 1, 1]
    extents(:, 1) = [2, 4]
    wrong = first
    if (bad) wrong(:, 1) = [mesh(1), 1]
    call HCL_Boxes_gather(MPI_COMM_WORLD, mesh, [.true., .false.], wrong, extents, none, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "reaches beyond the mesh")
    call HCL_Boxes_gather(MPI_COMM_WORLD, mesh, [.true.], first, extents, none, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "periods")
    call HCL_Boxes_gather(MPI_COMM_WORLD, mesh, [.true., .true.], first(1:merge(1, 2, bad), :), extents, none, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "the argument first has 1 rows")
    call HCL_Boxes_create(mesh, [.true., .true.], [0, 0], first, extents, none, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "the argument first has 1 columns for 2")
    call HCL_Boxes_create(mesh, [.true., .true.], [0, 0], reshape([1, 1, 2, 4], [2, 2]), reshape([2, 4, 1, 1], [2, 2]), &
      none, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "points in common")
    call HCL_Boxes_connect([0], extents, [2], first, extents, [1], first, none, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "to box 1; there are 1")
    call HCL_Boxes_connect([0], extents, [0], first, extents, [1], first, none, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "boxes are counted from 1")
    call HCL_Boxes_connect([0], extents, [1], first, extents, [1], first, none, axes=reshape([1, 0], [2, 1]), ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "an axis is 0")
    call HCL_Boxes_size(none, number, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "HCL_BOXES_NULL")

    call HCL_Boxes_gather(MPI_COMM_WORLD, mesh, [.true., .false.], first, extents, boxes)
    call HCL_Boxes_get(boxes, 0, number, first(:, 1), extents(:, 1), ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "box 0")
    call HCL_Field_attach(u, fields(1, 1))
    free(1, 1) = HCL_FIELD_NULL
    if (bad) then
      call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, no_fields, halo, ierror=code)
    else
      call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, fields, halo, ierror=code)
    end if
    call expect_refused(code, MPI_ERR_ARG, "has 0 views")
    if (bad) then
      call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, free, halo, ierror=code)
    else
      call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, fields, halo, ierror=code)
    end if
    call expect_refused(code, MPI_ERR_ARG, "HCL_FIELD_NULL")
    call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, fields, halo, directions=HCL_Stencil_moore(3), ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "directions")
    call HCL_Box_halo_create(MPI_COMM_WORLD, none, fields, halo, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "HCL_BOXES_NULL")
    call HCL_Box_halo_start(halo, ierror=code)
    call expect_refused(code, MPI_ERR_REQUEST, "HCL_BOX_HALO_NULL")
    call HCL_Box_halo_create(MPI_COMM_WORLD, boxes, fields, halo, directions=HCL_Stencil_nearest(2))
    call HCL_Box_halo_start(halo)
    call HCL_Box_halo_free(halo, ierror=code)
    call expect_refused(code, MPI_ERR_REQUEST, "under way")
    call HCL_Box_halo_wait(halo)
    call HCL_Box_halo_free(halo)
    call HCL_Boxes_free(boxes)
    call HCL_Field_free(fields(1, 1))
  end subroutine

end program boxes_test
