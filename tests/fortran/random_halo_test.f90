! Random halos through the Fortran module: meshes of one to four dimensions, fields of many types in flight together,
! some of which have several memories in turn, started and completed in any order. Longer, with progress:
!   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/random_halo_fortran_test
program random_halo_test
  use, intrinsic :: iso_fortran_env, only: int8
  use mpi_f08
  use halocline
  use expectations
  use random_fields
  use trials
  implicit none

  integer, parameter :: most_fields = 3, most_memories = 3, most_halos = 3

  type random_halo
    type(HCL_Halo) :: handle
    integer :: fields = 0, exchanges = 0
    ! How many memories each field has in turn, and which of them it has now.
    integer :: memories(most_fields) = 1, now(most_fields) = 1
    type(random_field) :: field(most_memories, most_fields)
    integer, allocatable :: directions(:, :)
    logical :: carries = .false.
  end type

  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call trials_begin("halos in Fortran", 20261118, merge(8, 25, world_size() > 4))
  do while (trials_next())
    call one_case()
  end do
  call finish()

contains

  subroutine one_case()
    type(random_stream) :: common, own
    type(ground) :: here
    type(random_halo) :: halos(most_halos)
    integer :: number, halo, time
    call common%seed(trials_seed(), 1)
    call own%seed(trials_seed(), 100 + world_rank())
    call make_ground(here, common, own)
    number = random_in(common, 1, most_halos)
    do halo = 1, number
      call make_halo(halos(halo), here, halo, common, own)
    end do
    do time = 1, 3
      call exchange(halos(1:number), here, time, common, own)
    end do
    if (coin(common, 3)) call verify(halos(1))
    do halo = 1, number
      call free_halo(halos(halo), coin(common, 2))
      if (halo == 1 .and. coin(common, 2)) call MPI_Comm_free(here%comm)
    end do
    if (here%comm /= MPI_COMM_NULL) call MPI_Comm_free(here%comm)
  end subroutine

  ! A communicator that was made for its mesh, was told it, or finds it in its fields.
  subroutine make_ground(here, common, own)
    type(ground), intent(inout) :: here
    type(random_stream), intent(inout) :: common, own
    integer :: n, d, kind
    integer, allocatable :: first(:), extents(:)
    n = random_in(common, 1, 4)
    here%dimensions = n
    here%widest = random_in(common, 1, 2)
    allocate (here%mesh(n), here%first(n), here%extents(n), here%dims(n), here%coords(n), here%periods(n))
    allocate (first(n), extents(n))
    do d = 1, n
      here%periods(d) = coin(common, 2)
      here%mesh(d) = world_size() * here%widest + random_in(common, 0, 4)
    end do
    kind = random_in(common, 1, 3)
    here%knows_mesh = kind < 3
    here%stencil = HCL_Stencil_moore(n)
    if (kind == 1) then
      if (coin(common, 2)) here%stencil = HCL_Stencil_nearest(n)
      call HCL_Cart_mesh_create(MPI_COMM_WORLD, here%mesh, here%periods, here%comm, stencil=here%stencil, &
        reorder=coin(common, 2))
    else
      here%dims = 0
      call MPI_Dims_create(world_size(), n, here%dims)
      call turn(here%dims, random_in(common, 0, n - 1))
      call MPI_Cart_create(MPI_COMM_WORLD, n, here%dims, here%periods, .false., here%comm)
    end if
    call MPI_Cart_get(here%comm, n, here%dims, here%periods, here%coords)
    call own_box(here, here%first, here%extents)
    if (kind == 2) call HCL_Cart_mesh_attach(here%comm, here%mesh)
    if (.not. here%knows_mesh) return
    call HCL_Cart_box(here%comm, first, extents)
    call expect(all(first == here%first) .and. all(extents == here%extents), "the box of a process")
    if (coin(common, 4)) call only_its_duplicate(here%comm)
    if (coin(own, 8)) call HCL_Cart_mesh_get(here%comm, extents)
  end subroutine

  ! Of n points over p processes the first n mod p get one more than the others.
  subroutine own_box(here, first, extents)
    type(ground), intent(in) :: here
    integer, intent(out) :: first(:), extents(:)
    integer :: more(size(first))
    more = modulo(here%mesh, here%dims)
    extents = here%mesh / here%dims + merge(1, 0, here%coords < more)
    first = 1 + here%coords * (here%mesh / here%dims) + min(here%coords, more)
  end subroutine

  subroutine turn(list, places)
    integer, intent(inout) :: list(:)
    integer, intent(in) :: places
    list = cshift(list, places)
  end subroutine

  subroutine only_its_duplicate(comm)
    type(MPI_Comm), intent(inout) :: comm
    type(MPI_Comm) :: duplicate
    call MPI_Comm_dup(comm, duplicate)
    call MPI_Comm_free(comm)
    comm = duplicate
  end subroutine

  subroutine make_halo(halo, here, number, common, own)
    type(random_halo), intent(inout) :: halo
    type(ground), intent(in) :: here
    integer, intent(in) :: number
    type(random_stream), intent(inout) :: common, own
    type(MPI_Info) :: info
    type(HCL_Field), allocatable :: handles(:)
    integer :: f, m, code
    halo%fields = random_in(common, 1, most_fields)
    allocate (handles(0))
    do f = 1, halo%fields
      if (coin(common, 2)) halo%memories(f) = random_in(common, 1, most_memories)
      call make_field(halo%field(1, f), here, number * 16 + f * 4, common, own)
      do m = 2, halo%memories(f)
        call make_field(halo%field(m, f), here, number * 16 + f * 4 + m - 1, common, own, like=halo%field(1, f))
      end do
      handles = [handles, halo%field(1:halo%memories(f), f)%handle]
    end do
    call random_info(info, common)
    halo%carries = coin(common, 2)
    if (halo%carries) call MPI_Info_set(info, "halocline_borders", "carry")
    halo%directions = here%stencil
    if (all(halo%memories == 1) .and. coin(common, 3)) then
      call HCL_Halo_create(here%comm, handles, halo%handle, info=info, ierror=code)
    else
      call random_directions(halo%directions, here%dimensions, common)
      call HCL_Halo_create(here%comm, handles, halo%handle, directions=halo%directions, info=info, &
        nmemories=halo%memories(1:halo%fields), ierror=code)
    end if
    call expect(code == MPI_SUCCESS, "a halo is made")
    call MPI_Info_free(info)
  end subroutine

  subroutine random_info(info, common)
    type(MPI_Info), intent(out) :: info
    type(random_stream), intent(inout) :: common
    character(12), parameter :: schedules(7) = [character(12) :: "auto", "direct", "node", "mixed", "torus", &
      "torus-direct", "basis"]
    character(8), parameter :: wires(3) = [character(8) :: "auto", "packed", "datatype"]
    call MPI_Info_create(info)
    call MPI_Info_set(info, "halocline_schedule", trim(schedules(random_in(common, 1, 7))))
    call MPI_Info_set(info, "halocline_wire", trim(wires(random_in(common, 1, 3))))
    call MPI_Info_set(info, "halocline_shared", merge("off     ", merge("buffered", "on      ", coin(common, 4)), coin(common, 4)))
    call MPI_Info_set(info, "halocline_statistics", merge("on ", "off", coin(common, 4)))
  end subroutine

  ! Some of all, one at least.
  subroutine random_directions(directions, dimensions, common)
    integer, allocatable, intent(inout) :: directions(:, :)
    integer, intent(in) :: dimensions
    type(random_stream), intent(inout) :: common
    integer :: everywhere(dimensions, 3**dimensions - 1), column, kept
    everywhere = HCL_Stencil_moore(dimensions)
    kept = 1
    do column = 2, size(everywhere, 2)
      if (coin(common, 3)) cycle
      kept = kept + 1
      everywhere(:, kept) = everywhere(:, column)
    end do
    directions = everywhere(:, 1:kept)
  end subroutine

  subroutine exchange(halos, here, time, common, own)
    type(random_halo), intent(inout) :: halos(:)
    type(ground), intent(in) :: here
    integer, intent(in) :: time
    type(random_stream), intent(inout) :: common, own
    integer :: h, f, m, code
    logical :: rotates(size(halos))
    do h = 1, size(halos)
      rotates(h) = any(halos(h)%memories > 1) .and. .not. coin(common, 3)
      do f = 1, halos(h)%fields
        if (rotates(h)) halos(h)%now(f) = random_in(common, 1, halos(h)%memories(f))
        do m = 1, halos(h)%memories(f)
          call fill_field(halos(h)%field(m, f), here, time)
        end do
      end do
    end do
    if (coin(common, 4)) then
      do h = 1, size(halos)
        if (rotates(h)) then
          call exchange_with(halos(h), code)
        else
          call HCL_Halo_exchange(halos(h)%handle, code)
        end if
        call expect(code == MPI_SUCCESS, "an exchange")
      end do
    else
      call start_and_complete(halos, rotates, own)
    end if
    do h = 1, size(halos)
      halos(h)%exchanges = halos(h)%exchanges + 1
      call expect_right(halos(h), here, h, time)
      call expect_counted(halos(h))
    end do
  end subroutine

  ! The memories that the fields have show their neighbours; the others have been left alone.
  subroutine expect_right(halo, here, number, time)
    type(random_halo), intent(in) :: halo
    type(ground), intent(in) :: here
    integer, intent(in) :: number, time
    integer :: f, m, seen
    character(100) :: what
    do f = 1, halo%fields
      do m = 1, halo%memories(f)
        write (what, '(5(a, i0))') "all bytes are right, seed ", trials_seed(), " halo ", number, " field ", f, &
          " memory ", m, " time ", time
        seen = merge(size(halo%directions, 2), 0, m == halo%now(f))
        call expect(wrong_bytes(halo%field(m, f), here, halo%directions(:, 1:seen), halo%carries, time) == 0, trim(what))
      end do
    end do
  end subroutine

  ! With the memories that its fields have now, told by arrays that begin where they do.
  subroutine start_with(halo, code)
    type(random_halo), intent(in) :: halo
    integer, intent(out) :: code
    integer(int8), pointer, asynchronous :: a(:), b(:), c(:)
    a => first_bytes(halo%field(halo%now(1), 1))
    if (halo%fields > 1) b => first_bytes(halo%field(halo%now(2), 2))
    if (halo%fields > 2) c => first_bytes(halo%field(halo%now(3), 3))
    select case (halo%fields)
    case (1)
      call HCL_Halo_start_with(halo%handle, a, ierror=code)
    case (2)
      call HCL_Halo_start_with(halo%handle, a, b, ierror=code)
    case default
      call HCL_Halo_start_with(halo%handle, a, b, c, ierror=code)
    end select
  end subroutine

  subroutine exchange_with(halo, code)
    type(random_halo), intent(in) :: halo
    integer, intent(out) :: code
    integer(int8), pointer, asynchronous :: a(:)
    if (halo%fields == 1) then
      a => first_bytes(halo%field(halo%now(1), 1))
      call HCL_Halo_exchange_with(halo%handle, a, ierror=code)
    else
      call start_with(halo, code)
      call HCL_Halo_wait(halo%handle)
    end if
  end subroutine

  ! Each rank in an order of its own.
  subroutine start_and_complete(halos, rotates, own)
    type(random_halo), intent(in) :: halos(:)
    logical, intent(in) :: rotates(:)
    type(random_stream), intent(inout) :: own
    integer :: h, code, order(size(halos))
    logical :: done
    call random_order(order, own)
    do h = 1, size(halos)
      if (rotates(order(h))) then
        call start_with(halos(order(h)), code)
      else
        call HCL_Halo_start(halos(order(h))%handle, code)
      end if
      call expect(code == MPI_SUCCESS, "a start")
    end do
    if (coin(own, 3)) then
      call HCL_Halo_start(halos(1)%handle, code)
      call expect_refused(code, MPI_ERR_REQUEST, "not complete")
    end if
    call random_order(order, own)
    do h = 1, size(halos)
      done = coin(own, 2)
      if (done) call HCL_Halo_wait(halos(order(h))%handle)
      do while (.not. done)
        call HCL_Halo_test(halos(order(h))%handle, done)
      end do
    end do
  end subroutine

  subroutine random_order(order, random)
    integer, intent(out) :: order(:)
    type(random_stream), intent(inout) :: random
    integer :: i, other, kept
    do i = 1, size(order)
      order(i) = i
    end do
    do i = size(order), 2, -1
      other = random_in(random, 1, i)
      kept = order(i)
      order(i) = order(other)
      order(other) = kept
    end do
  end subroutine

  subroutine expect_counted(halo)
    type(random_halo), intent(in) :: halo
    type(HCL_Statistics) :: statistics
    call HCL_Halo_statistics(halo%handle, statistics)
    call expect(statistics%exchanges == halo%exchanges, "exchanges are counted")
  end subroutine

  subroutine verify(halo)
    type(random_halo), intent(inout) :: halo
    integer :: code
    call HCL_Halo_verify(halo%handle, code)
    call expect(code == MPI_SUCCESS, "the verification")
  end subroutine

  ! Its fields go before or after it.
  subroutine free_halo(halo, fields_first)
    type(random_halo), intent(inout) :: halo
    logical, intent(in) :: fields_first
    integer :: f, m
    if (.not. fields_first) call HCL_Halo_free(halo%handle)
    do f = 1, halo%fields
      do m = 1, halo%memories(f)
        call free_field(halo%field(m, f))
      end do
    end do
    if (fields_first) call HCL_Halo_free(halo%handle)
  end subroutine

end program random_halo_test
