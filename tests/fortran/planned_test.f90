! What the Fortran module does by itself is what the plan says of the same problem, with prices, network and placement named by
! the environment. More cases:
!   HALOCLINE_SECONDS=600 mpirun -n 8 build/release/bin/planned_fortran_test
program planned_test
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8
  use mpi_f08
  use halocline
  use expectations
  use trials
  implicit none

  interface  ! of planned_case.cpp
    subroutine planned_case_begin(seed) bind(C)
      import
      integer(c_int64_t), value :: seed
    end subroutine
    subroutine planned_case_end() bind(C)
    end subroutine
    integer(c_int) function planned_case_world() bind(C)
      import
    end function
    integer(c_int) function planned_case_dimensions() bind(C)
      import
    end function
    integer(c_int) function planned_case_offsets() bind(C)
      import
    end function
    integer(c_int) function planned_case_fields() bind(C)
      import
    end function
    integer(c_int) function planned_case_bytes() bind(C)
      import
    end function
    subroutine planned_case_lists(mesh, periods, halo, fixed, offsets) bind(C)
      import
      integer(c_int), intent(out) :: mesh(*), periods(*), halo(*), fixed(*), offsets(*)
    end subroutine
    integer(c_int) function planned_case_has_plan() bind(C)
      import
    end function
    integer(c_int) function planned_case_sends() bind(C)
      import
    end function
    subroutine planned_case_grid(dims, cell) bind(C)
      import
      integer(c_int), intent(out) :: dims(*), cell(*)
    end subroutine
    integer(c_int) function planned_case_is_schedule(name, length) bind(C)
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: length
    end function
    subroutine planned_case_print() bind(C)
    end subroutine
  end interface

  ! An array of so many bytes a point, halo included.
  type array
    integer(int8), allocatable :: of_1(:, :), of_2(:, :, :), of_3(:, :, :, :), of_4(:, :, :, :, :)
  end type

  integer :: before

  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call trials_begin("planned halos in Fortran", 500001, merge(4, 8, world_size() > 4))
  do while (trials_next())
    before = failures
    call planned_case_begin(trials_seed())
    call one_case(planned_case_dimensions(), planned_case_offsets())
    if (failures > before) call planned_case_print()
    call planned_case_end()
  end do
  call finish()

contains

  subroutine one_case(n, neighbours)
    integer, intent(in) :: n, neighbours
    type(MPI_Comm) :: world, comm
    integer :: mesh(n), periods(n), halo(n), dims(n), offsets(n, neighbours), planned(n), cell(n), coords(n)
    integer :: rank, code
    logical :: has_plan
    world%MPI_VAL = planned_case_world()
    call planned_case_lists(mesh, periods, halo, dims, offsets)
    has_plan = planned_case_has_plan() /= 0
    call HCL_Cart_mesh_create(world, mesh, periods /= 0, comm, dims=dims, halo=halo, stencil=offsets, ierror=code)
    if (code /= MPI_SUCCESS) then
      call expect(.not. has_plan, "the communicator is refused, so is the plan")
      return
    end if
    if (has_plan) then
      call planned_case_grid(planned, cell)
      call MPI_Comm_rank(comm, rank)
      call MPI_Cart_coords(comm, rank, n, coords)
      call expect(all(dims == planned), "the grid is the plan's")
      call expect(all(coords == cell), "the process is where the plan has it")
    end if
    call compare_schedule(comm, planned_case_fields(), halo, -offsets, has_plan)  ! what goes there fills the halo on the other side
    call MPI_Comm_free(comm)
  end subroutine

  subroutine compare_schedule(comm, number, widths, directions, has_plan)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: number, widths(:), directions(:, :)
    logical, intent(in) :: has_plan
    type(HCL_Field) :: fields(number)
    type(HCL_Halo) :: halo
    type(array), target :: arrays(number)
    integer :: first(size(widths)), extents(size(widths)), f, code
    character(:), allocatable :: schedule
    call HCL_Cart_box(comm, first, extents)
    do f = 1, size(fields)
      call attach(arrays(f), fields(f), extents + 2 * widths, widths)
    end do
    call HCL_Halo_create(comm, fields, halo, directions=directions, ierror=code)
    if (code == MPI_SUCCESS) then
      call HCL_Halo_schedule(halo, schedule)
      if (has_plan) then
        call expect(planned_case_is_schedule(schedule, len(schedule)) /= 0, "the schedule is the plan's, not " // schedule)
      else
        call expect(planned_case_sends() == 0, "the plan is refused, so is the halo")
      end if
      call HCL_Halo_free(halo)
    else
      call expect(.not. has_plan, "the halo is refused, so is the plan")
    end if
    do f = 1, size(fields)
      call HCL_Field_free(fields(f))
    end do
  end subroutine

  subroutine attach(memory, field, n, widths)
    type(array), intent(inout), target :: memory
    type(HCL_Field), intent(inout) :: field
    integer, intent(in) :: n(:), widths(:)
    integer :: bytes
    bytes = planned_case_bytes()
    select case (size(n))
    case (1)
      allocate (memory%of_1(bytes, n(1)))
      call HCL_Field_attach(memory%of_1, field, halo=widths, components=1)
    case (2)
      allocate (memory%of_2(bytes, n(1), n(2)))
      call HCL_Field_attach(memory%of_2, field, halo=widths, components=1)
    case (3)
      allocate (memory%of_3(bytes, n(1), n(2), n(3)))
      call HCL_Field_attach(memory%of_3, field, halo=widths, components=1)
    case (4)
      allocate (memory%of_4(bytes, n(1), n(2), n(3), n(4)))
      call HCL_Field_attach(memory%of_4, field, halo=widths, components=1)
    end select
  end subroutine

end program planned_test
