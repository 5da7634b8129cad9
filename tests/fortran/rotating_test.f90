! Halos of fields that change places, as a Fortran program swaps pointers and arrays.
program rotating_test
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use halocline
  use expectations
  implicit none

  integer, parameter :: mesh(3) = [37, 35, 33]
  logical, parameter :: periods(3) = [.true., .false., .true.]
  type(MPI_Comm) :: cart

  call MPI_Init()
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, periods, cart, stencil=HCL_Stencil_moore(3))
  call pointers_alone_are_swapped()
  call arrays_alone_are_swapped()
  call MPI_Comm_free(cart)
  call finish()

contains

  ! Whatever way blocks take, nothing but the pointers changes places.
  subroutine pointers_alone_are_swapped()
    character(8), parameter :: shared(3) = [character(8) :: "on", "buffered", "off"]
    real(real64), pointer, asynchronous :: now(:, :, :), next(:, :, :), other(:, :, :), stays(:, :, :)
    type(HCL_Field) :: fields(4)
    type(HCL_Halo) :: halo
    type(MPI_Info) :: info
    integer, parameter :: low(3) = [1, 2, 0], high(3) = [2, 0, 1]
    integer :: step, way, code
    call MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN)
    do way = 1, size(shared)
      nullify (now, next, other, stays)
      call HCL_Field_create(cart, stays, fields(1))
      call HCL_Field_create(cart, now, fields(2), halo=low, halo_high=high)
      call HCL_Field_create(cart, next, fields(3), halo=low, halo_high=high)
      call HCL_Field_create(cart, other, fields(4), halo=low, halo_high=high)
      call MPI_Info_create(info)
      call MPI_Info_set(info, "halocline_shared", trim(shared(way)))
      call HCL_Halo_create(cart, fields(1:3), halo, info=info, nmemories=[1, 2])
      call MPI_Info_free(info)
      do step = 1, 4
        call fill(stays, cart, mesh, periods, [1, 1, 1], 0.25_real64)
        call fill(now, cart, mesh, periods, low, real(step, real64))
        if (mod(step, 2) == 0) then
          call HCL_Halo_exchange_with(halo, stays, now)
        else
          call HCL_Halo_start_with(halo, stays, now)
          call HCL_Halo_wait(halo)
        end if
        call expect(wrong_points(stays, cart, mesh, periods, [1, 1, 1], 0.25_real64, .false.) == 0, "what stays")
        call expect(wrong_points(now, cart, mesh, periods, low, real(step, real64), .false.) == 0, "what rotates")
        call swap(now, next)
      end do
      call HCL_Halo_exchange_with(halo, stays, other, ierror=code)
      call expect(code /= MPI_SUCCESS, "an array that was not named is refused")
      call HCL_Halo_start_with(halo, stays, ierror=code)
      call expect(code /= MPI_SUCCESS, "an array for each field")
      call HCL_Halo_verify(halo)
      call HCL_Halo_free(halo)
      call HCL_Halo_create(cart, fields(1:3), halo, nmemories=[1, 1], ierror=code)
      call expect(code /= MPI_SUCCESS, "three fields, and two are counted")
      do step = 1, 4
        call HCL_Field_free(fields(step))
      end do
    end do
    call MPI_Comm_set_errhandler(cart, MPI_ERRORS_ARE_FATAL)
  end subroutine

  subroutine swap(a, b)
    real(real64), pointer, asynchronous, intent(inout) :: a(:, :, :), b(:, :, :)
    real(real64), pointer, asynchronous :: c(:, :, :)
    c => a
    a => b
    b => c
  end subroutine

  ! Arrays of the program change places by move_alloc, which leaves their memory where it is.
  subroutine arrays_alone_are_swapped()
    real(real64), allocatable, target, asynchronous :: now(:, :, :), next(:, :, :)
    real(real64), allocatable :: kept(:, :, :)
    type(HCL_Field) :: fields(2)
    type(HCL_Halo) :: halo
    integer, parameter :: width(3) = [1, 1, 1]
    integer :: first(3), extents(3), step
    call HCL_Cart_box(cart, first, extents)
    allocate (now(0:extents(1) + 1, 0:extents(2) + 1, 0:extents(3) + 1), source=0.0_real64)
    allocate (next, source=now)
    call HCL_Field_attach(now, fields(1))
    call HCL_Field_attach(next, fields(2))
    call HCL_Halo_create(cart, fields, halo, nmemories=[2])
    do step = 1, 3
      call fill(now, cart, mesh, periods, width, real(step, real64))
      call HCL_Halo_exchange_with(halo, now)
      call expect(wrong_points(now, cart, mesh, periods, width, real(step, real64), .false.) == 0, "an array")
      call move_alloc(now, kept)
      call move_alloc(next, now)
      call move_alloc(kept, next)
    end do
    call HCL_Halo_free(halo)
    do step = 1, 2
      call HCL_Field_free(fields(step))
    end do
  end subroutine

end program rotating_test
