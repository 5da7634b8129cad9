! Halos of arrays at any address, told at the call: arrays as they are, and addresses.
program any_memory_test
  use, intrinsic :: iso_c_binding, only: c_loc, c_ptr, c_null_ptr
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use halocline
  use expectations
  implicit none

  integer, parameter :: mesh(3) = [37, 35, 33], width(3) = [1, 1, 1]
  logical, parameter :: periods(3) = [.true., .false., .true.]
  type(MPI_Comm) :: cart
  type(MPI_Info) :: info
  integer :: first(3), n(3)

  call MPI_Init()
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, periods, cart, stencil=HCL_Stencil_moore(3))
  call HCL_Cart_box(cart, first, n)
  call MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN)
  call MPI_Info_create(info)
  call MPI_Info_set(info, "halocline_addresses", "any")
  call arrays_that_are_allocated_each_step()
  call pointers_of_the_library()
  call addresses_alone()
  call other_arrays_are_refused()
  call MPI_Info_free(info)
  call MPI_Comm_free(cart)
  call finish()

contains

  subroutine made_for_two(halo, u, v)
    type(HCL_Halo), intent(out) :: halo
    real(real64), allocatable, target, asynchronous, intent(inout) :: u(:, :, :), v(:, :, :)
    type(HCL_Field) :: fields(2)
    integer :: i
    if (allocated(u)) deallocate (u)
    if (allocated(v)) deallocate (v)
    allocate (u(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1), source=0.0_real64)
    allocate (v, source=u)
    call HCL_Field_attach(u, fields(1))
    call HCL_Field_attach(v, fields(2))
    call HCL_Halo_create(cart, fields, halo, info=info)
    do i = 1, 2
      call HCL_Field_free(fields(i))
    end do
  end subroutine

  subroutine arrays_that_are_allocated_each_step()
    real(real64), allocatable, target, asynchronous :: u(:, :, :), v(:, :, :)
    real(real64), allocatable, asynchronous :: array(:, :, :), whole(:, :, :, :)
    type(HCL_Halo) :: halo
    integer :: step
    call made_for_two(halo, u, v)
    allocate (whole(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1, 2))
    do step = 1, 6
      allocate (array(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1))
      whole = -2
      call fill(array, cart, mesh, periods, width, real(step, real64))
      call fill(whole(:, :, :, 2), cart, mesh, periods, width, 0.5_real64)
      if (mod(step, 2) == 0) then
        call HCL_Halo_exchange_with(halo, array, whole(:, :, :, 2))
      else
        call HCL_Halo_start_with(halo, array, whole(:, :, :, 2))
        call HCL_Halo_wait(halo)
      end if
      call expect(wrong_points(array, cart, mesh, periods, width, real(step, real64), .false.) == 0, "a new array")
      call expect(wrong_points(whole(:, :, :, 2), cart, mesh, periods, width, 0.5_real64, .false.) == 0, "a section")
      call expect(all(whole(:, :, :, 1) == -2), "what lies beside it")
      deallocate (array)
    end do
    call HCL_Halo_free(halo)
  end subroutine

  subroutine pointers_of_the_library()
    real(real64), pointer, asynchronous :: u(:, :, :), v(:, :, :)
    type(HCL_Field) :: fields(2)
    type(HCL_Halo) :: halo
    integer :: step
    nullify (u, v)
    call HCL_Field_create(cart, u, fields(1))
    call HCL_Field_create(cart, v, fields(2))
    call HCL_Halo_create(cart, fields(1:1), halo, info=info)
    do step = 1, 2
      call fill(u, cart, mesh, periods, width, real(step, real64))
      call fill(v, cart, mesh, periods, width, real(-step, real64))
      call HCL_Halo_exchange_with(halo, u)
      call expect(wrong_points(u, cart, mesh, periods, width, real(step, real64), .false.) == 0, "its own memory")
      call HCL_Halo_exchange_with(halo, v)
      call expect(wrong_points(v, cart, mesh, periods, width, real(-step, real64), .false.) == 0, "memory it never saw")
    end do
    call HCL_Halo_free(halo)
    call HCL_Field_free(fields(1))
    call HCL_Field_free(fields(2))
  end subroutine

  subroutine addresses_alone()
    real(real64), allocatable, target, asynchronous :: u(:, :, :), v(:, :, :), pool(:)
    real(real64), pointer, asynchronous :: a(:, :, :), b(:, :, :)
    type(HCL_Halo) :: halo
    type(c_ptr) :: addresses(2)
    integer :: step, points, code
    call made_for_two(halo, u, v)
    points = product(n + 2)
    allocate (pool(2 * points + 9))
    do step = 1, 4
      a(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1) => pool(step:step + points - 1)
      b(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1) => pool(step + points:step + 2 * points - 1)
      call fill(a, cart, mesh, periods, width, real(step, real64))
      call fill(b, cart, mesh, periods, width, 0.5_real64)
      if (mod(step, 2) == 0) then
        call HCL_Halo_exchange_with(halo, [c_loc(pool(step)), c_loc(pool(step + points))])
      else
        addresses = [c_loc(pool(step)), c_loc(pool(step + points))]
        call HCL_Halo_start_with(halo, addresses)
        call HCL_Halo_wait(halo)
      end if
      call expect(wrong_points(a, cart, mesh, periods, width, real(step, real64), .false.) == 0, "an address")
      call expect(wrong_points(b, cart, mesh, periods, width, 0.5_real64, .false.) == 0, "the second address")
    end do
    call HCL_Halo_start_with(halo, addresses(1:1), ierror=code)
    call refused(code, "1 arrays for a halo of 2 fields")
    addresses(2) = c_null_ptr
    call HCL_Halo_start_with(halo, addresses, ierror=code)
    call refused(code, "field 1 begins at a null pointer")
    call HCL_Halo_start_with(halo, [c_loc(pool(1)), c_loc(pool(2))], ierror=code)
    call refused(code, "have memory in common")
    addresses(2) = c_loc(pool(1))
    call HCL_Halo_start_with(halo, u, addresses(2), ierror=code)
    call refused(code, "[c_loc(array)]")
    call HCL_Halo_free(halo)
  end subroutine

  subroutine other_arrays_are_refused()
    real(real64), allocatable, target, asynchronous :: u(:, :, :), v(:, :, :)
    real(real64), allocatable, asynchronous :: longer(:, :, :), flat(:), none(:, :, :)
    real(real32), allocatable, asynchronous :: short(:, :, :)
    type(HCL_Halo) :: halo
    integer :: code
    call made_for_two(halo, u, v)
    allocate (longer(0:n(1) + 1, 0:n(2) + 2, 0:n(3) + 1), short(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1), flat(size(u)))
    call HCL_Halo_start_with(halo, longer, v, ierror=code)
    call refused(code, "field 0 is an array of")
    call HCL_Halo_start_with(halo, u, short, ierror=code)
    call refused(code, "field 1 is an array of")
    call HCL_Halo_exchange_with(halo, flat, v, ierror=code)
    call refused(code, "field 0 is an array of")
    call HCL_Halo_exchange_with(halo, u, longer(:, 0:n(2) + 1, :), ierror=code)
    call refused(code, "field 1 is an array of")
    call HCL_Halo_exchange_with(halo, none, v, ierror=code)
    call refused(code, "field 0 begins at a null pointer")
    call HCL_Halo_exchange_with(halo, u, v, ierror=code)
    call expect(code == MPI_SUCCESS, "the arrays it was made for")
    call HCL_Halo_verify(halo)
    call HCL_Halo_free(halo)
  end subroutine

  subroutine refused(code, words)
    integer, intent(in) :: code
    character(*), intent(in) :: words
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: length
    call expect(code /= MPI_SUCCESS, "refused: "//words)
    if (code == MPI_SUCCESS) return
    call HCL_Error_string(code, text, length)
    call expect(index(text(:length), words) > 0, words//" in "//text(:length))
  end subroutine

end program any_memory_test
