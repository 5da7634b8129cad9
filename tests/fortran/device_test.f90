! Fields on a device, as a Fortran program has them: addresses that nobody but kernels and copies may touch.
program device_test
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use halocline
  use expectations
  implicit none

  interface
    function device_memory(bytes) result(memory) bind(C, name="tests_device_memory")
      import
      integer(c_int64_t), value :: bytes
      type(c_ptr) :: memory
    end function
    subroutine free_device_memory(memory) bind(C, name="tests_free_device_memory")
      import
      type(c_ptr), value :: memory
    end subroutine
    subroutine device_copy(to, from, bytes) bind(C, name="tests_device_copy")
      import
      type(c_ptr), value :: to, from
      integer(c_int64_t), value :: bytes
    end subroutine
    function device_stream() result(stream) bind(C, name="tests_device_stream")
      import
      type(c_ptr) :: stream
    end function
  end interface

  integer, parameter :: mesh(3) = [19, 17, 23], low(3) = [1, 2, 1], high(3) = [2, 1, 1]
  logical, parameter :: periods(3) = [.true., .false., .true.]
  type(MPI_Comm) :: cart
  type(c_ptr) :: stream

  call MPI_Init()
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, periods, cart, stencil=HCL_Stencil_moore(3))
  stream = device_stream()
  call fields_of_the_library()
  call memory_of_the_program()
  call refusals()
  call MPI_Comm_free(cart)
  call finish()

contains

  ! One on the device and one on the host, in one halo; with a stream and without.
  subroutine fields_of_the_library()
    real(real64), pointer, asynchronous :: u(:, :, :), v(:, :, :)
    real(real64), allocatable :: seen(:, :, :)
    type(HCL_Field) :: fields(2)
    type(HCL_Halo) :: halo
    type(MPI_Info) :: info
    integer :: step
    nullify (u, v)
    call MPI_Info_create(info)
    call MPI_Info_set(info, "halocline_field", "device")
    call HCL_Field_create(cart, u, fields(1), halo=low, halo_high=high, info=info)
    call MPI_Info_free(info)
    call HCL_Field_create(cart, v, fields(2))
    call HCL_Halo_create(cart, fields, halo)
    call HCL_Halo_verify(halo)
    allocate (seen(size(u, 1), size(u, 2), size(u, 3)))
    do step = 1, 4
      call fill(seen, cart, mesh, periods, low, real(step, real64))
      call copy_to_device(u, seen)
      call fill(v, cart, mesh, periods, [1, 1, 1], 0.5_real64)
      if (mod(step, 2) == 0) then
        call HCL_Halo_exchange(halo)
      else
        call HCL_Halo_start_on(halo, stream)
        call HCL_Halo_wait_on(halo, stream)
      end if
      call copy_from_device(seen, u)
      call expect(wrong_points(seen, cart, mesh, periods, low, real(step, real64), .false.) == 0, "on the device")
      call expect(wrong_points(v, cart, mesh, periods, [1, 1, 1], 0.5_real64, .false.) == 0, "on the host")
    end do
    call HCL_Halo_free(halo)
    call HCL_Field_free(fields(1))
    call HCL_Field_free(fields(2))
  end subroutine

  ! An address of the device as a pointer, whose values nobody looks at.
  subroutine memory_of_the_program()
    real(real64), pointer, asynchronous :: u(:, :, :)
    real(real64), allocatable :: seen(:, :, :)
    type(c_ptr) :: memory
    type(HCL_Field) :: fields(1)
    type(HCL_Halo) :: halo
    integer :: first(3), extents(3), shape_(3)
    call HCL_Cart_box(cart, first, extents)
    shape_ = extents + 2
    memory = device_memory(8_c_int64_t * product(shape_))
    call c_f_pointer(memory, u, shape_)
    call HCL_Field_attach(u, fields(1))
    call HCL_Halo_create(cart, fields, halo)
    allocate (seen(shape_(1), shape_(2), shape_(3)))
    call fill(seen, cart, mesh, periods, [1, 1, 1], 0.25_real64)
    call copy_to_device(u, seen)
    call HCL_Halo_start_on(halo, stream)
    call HCL_Halo_wait_on(halo, stream)
    call copy_from_device(seen, u)
    call expect(wrong_points(seen, cart, mesh, periods, [1, 1, 1], 0.25_real64, .false.) == 0, "an attached address")
    call HCL_Halo_free(halo)
    call HCL_Field_free(fields(1))
    call MPI_Barrier(cart)  ! before memory goes that others have opened
    call free_device_memory(memory)
  end subroutine

  subroutine refusals()
    real(real64), pointer, asynchronous :: u(:, :, :)
    type(HCL_Field) :: fields(1)
    type(HCL_Halo) :: halo
    type(MPI_Info) :: info
    integer, target :: nothing
    integer :: code
    call MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN)
    nullify (u)
    call MPI_Info_create(info)
    call MPI_Info_set(info, "halocline_field", "moon")
    call HCL_Field_create(cart, u, fields(1), info=info, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "moon")
    call MPI_Info_free(info)
    call HCL_Field_create(cart, u, fields(1))
    call HCL_Halo_create(cart, fields, halo)
    call HCL_Halo_start_on(halo, c_loc(nothing), ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "stream")
    call HCL_Halo_exchange(halo)
    call HCL_Halo_free(halo)
    call HCL_Field_free(fields(1))
  end subroutine

  ! Row by row: rows of a field may be farther apart than they are long.
  subroutine copy_to_device(u, values)
    real(real64), pointer, intent(in) :: u(:, :, :)
    real(real64), intent(in), target :: values(:, :, :)
    integer :: j, k
    do k = 1, size(u, 3)
      do j = 1, size(u, 2)
        call device_copy(row(u, j, k), c_loc(values(1, j, k)), 8_c_int64_t * size(u, 1))
      end do
    end do
  end subroutine

  subroutine copy_from_device(values, u)
    real(real64), intent(inout), target :: values(:, :, :)
    real(real64), pointer, intent(in) :: u(:, :, :)
    integer :: j, k
    do k = 1, size(u, 3)
      do j = 1, size(u, 2)
        call device_copy(c_loc(values(1, j, k)), row(u, j, k), 8_c_int64_t * size(u, 1))
      end do
    end do
  end subroutine

  type(c_ptr) function row(u, j, k)
    real(real64), pointer, intent(in) :: u(:, :, :)
    integer, intent(in) :: j, k
    row = c_loc(u(lbound(u, 1), lbound(u, 2) + j - 1, lbound(u, 3) + k - 1))
  end function

end program
