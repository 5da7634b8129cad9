! SPDX-License-Identifier: BSD-3-Clause
! The heat equation on a 3-D mesh, explicitly, on any number of processes: cold walls or periodic dimensions.
! The interior is computed while the halo travels. Afterwards one process does the same alone and without
! halos, and the results must agree to the last bit. (They also agree with those of heat.c.)
!
!   mpirun -n 8 heat_fortran [nx ny nz [steps [periodic]]]        mpirun -n 8 heat_fortran 64 64 64 100 1
program heat
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use mpi_f08
  use halocline
  implicit none

  integer :: mesh(3), dims(3), steps, periodic, ranks, rank
  integer(int64) :: ours
  logical :: same
  type(MPI_Comm) :: cart

  call MPI_Init()
  mesh = [argument(1, 37, 1, 10000), argument(2, 32, 1, 10000), argument(3, 33, 1, 10000)]
  steps = argument(4, 25, 0, 1000000)
  periodic = argument(5, 0, 0, 1)

  dims = 0
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, spread(periodic /= 0, 1, 3), cart, dims=dims)
  call MPI_Comm_size(cart, ranks)
  call MPI_Comm_rank(cart, rank)
  ours = parallel()
  same = .true.
  if (rank == 0) then
    same = ours == alone()
    print '(2(i0, "x"), i0, " points, ", i0, " steps, ", a, ", on ", i0, " processes (", 2(i0, "x"), i0, "): ", z16.16, &
      &", ", a, " one process alone")', mesh, steps, trim(merge("periodic  ", "cold walls", periodic /= 0)), ranks, dims, &
      ours, trim(merge("as on    ", "NOT as on", same))
  end if
  call MPI_Bcast(same, 1, MPI_LOGICAL, 0, cart)
  call MPI_Comm_free(cart)
  call MPI_Finalize()
  if (.not. same) error stop 1

contains

  ! A number of the command line; what is none, or not in the range, ends the program.
  integer function argument(number, otherwise, least, most)
    integer, intent(in) :: number, otherwise, least, most
    character(32) :: text
    integer :: length, status
    argument = otherwise
    if (command_argument_count() < number) return
    call get_command_argument(number, text, length)
    status = verify(trim(text), "0123456789")
    if (length == 0 .or. length > len(text)) status = 1
    if (status == 0) read (text, '(bn, i32)', iostat=status) argument
    if (status == 0 .and. argument >= least .and. argument <= most) return
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) write (error_unit, '(a, i0, 3a, i0, a, i0)') "heat_fortran: argument ", number, " is '", trim(text), &
      "'; it is a number from ", least, " to ", most
    call MPI_Finalize()
    stop 2, quiet=.true.
  end function

  ! Of a point counted from 0.
  pure real(real64) function initial(x, y, z)
    integer, intent(in) :: x, y, z
    initial = mod(x * mesh(2) + 7 * y + 29 * z, 101)
  end function

  ! Weights are powers of two, so that it does not matter whether the compiler fuses products and sums.
  pure real(real64) function next(here, x0, x1, y0, y1, z0, z1)
    real(real64), intent(in) :: here, x0, x1, y0, y1, z0, z1
    next = 0.25_real64 * here + 0.125_real64 * (((x0 + x1) + (y0 + y1)) + (z0 + z1))
  end function

  ! One step for the points from low to high.
  subroutine step_box(u, v, low, high)
    real(real64), pointer, asynchronous, intent(in) :: u(:, :, :), v(:, :, :)
    integer, intent(in) :: low(3), high(3)
    integer :: x, y, z
    do z = low(3), high(3)
      do y = low(2), high(2)
        do x = low(1), high(1)
          v(x, y, z) = next(u(x, y, z), u(x - 1, y, z), u(x + 1, y, z), u(x, y - 1, z), u(x, y + 1, z), &
            u(x, y, z - 1), u(x, y, z + 1))
        end do
      end do
    end do
  end subroutine

  ! The points that need a halo: two slabs for each dimension, without what earlier ones have.
  subroutine step_boundary(u, v, n)
    real(real64), pointer, asynchronous, intent(in) :: u(:, :, :), v(:, :, :)
    integer, intent(in) :: n(3)
    integer :: low(3), high(3), d
    low = 1
    high = n
    do d = 1, 3
      high(d) = 1
      call step_box(u, v, low, high)
      low(d) = max(n(d), 2)
      high(d) = n(d)
      call step_box(u, v, low, high)
      low(d) = 2
      high(d) = n(d) - 1
    end do
  end subroutine

  ! What tells this result from any other, whatever the order in which points (counted from 0) are looked at.
  pure integer(int64) function mark(value, x, y, z)
    real(real64), intent(in) :: value
    integer, intent(in) :: x, y, z
    integer(int64) :: number
    number = (int(x, int64) * mesh(2) + y) * mesh(3) + z
    mark = ishftc(transfer(value, number), int(mod(number, 63_int64)) + 1)
  end function

  integer(int64) function parallel() result(all)
    type temperature
      real(real64), pointer :: u(:, :, :) => null()
      type(HCL_Field) :: field
    end type
    type(temperature), asynchronous :: t(0:1)
    type(HCL_Halo) :: halo
    integer :: first(3), n(3), x, y, z, i, step
    integer(int64) :: mine

    call HCL_Cart_box(cart, first, n)
    ! One halo for both, which change roles after every step: it is told whose turn it is.
    do i = 0, 1
      call HCL_Field_create(cart, t(i)%u, t(i)%field)
    end do
    call HCL_Halo_create(cart, [t(0)%field, t(1)%field], halo, nmemories=[2])
    do z = 1, n(3)
      do y = 1, n(2)
        do x = 1, n(1)
          t(0)%u(x, y, z) = initial(first(1) + x - 2, first(2) + y - 2, first(3) + z - 2)
        end do
      end do
    end do

    do step = 0, steps - 1
      associate (now => t(mod(step, 2)), then => t(mod(step + 1, 2)))
        call HCL_Halo_start_with(halo, now%u)
        call step_box(now%u, then%u, [2, 2, 2], n - 1)
        call HCL_Halo_wait(halo)
        call step_boundary(now%u, then%u, n)
      end associate
    end do

    mine = 0
    do z = 1, n(3)
      do y = 1, n(2)
        do x = 1, n(1)
          mine = ieor(mine, mark(t(mod(steps, 2))%u(x, y, z), first(1) + x - 2, first(2) + y - 2, first(3) + z - 2))
        end do
      end do
    end do
    call MPI_Allreduce(mine, all, 1, MPI_INTEGER8, MPI_BXOR, cart)
    call HCL_Halo_free(halo)
    do i = 0, 1
      call HCL_Field_free(t(i)%field)
    end do
  end function

  ! The same without processes, halos or library: walls are in the array, and periodic ones are copied.
  integer(int64) function alone() result(all)
    real(real64), allocatable :: u(:, :, :), v(:, :, :)
    integer :: x, y, z, step
    allocate (u(0:mesh(1) + 1, 0:mesh(2) + 1, 0:mesh(3) + 1), v(mesh(1), mesh(2), mesh(3)))
    u = 0
    do z = 1, mesh(3)
      do y = 1, mesh(2)
        do x = 1, mesh(1)
          u(x, y, z) = initial(x - 1, y - 1, z - 1)
        end do
      end do
    end do
    do step = 1, steps
      if (periodic /= 0) then
        u(0, :, :) = u(mesh(1), :, :)
        u(mesh(1) + 1, :, :) = u(1, :, :)
        u(:, 0, :) = u(:, mesh(2), :)
        u(:, mesh(2) + 1, :) = u(:, 1, :)
        u(:, :, 0) = u(:, :, mesh(3))
        u(:, :, mesh(3) + 1) = u(:, :, 1)
      end if
      do z = 1, mesh(3)
        do y = 1, mesh(2)
          do x = 1, mesh(1)
            v(x, y, z) = next(u(x, y, z), u(x - 1, y, z), u(x + 1, y, z), u(x, y - 1, z), u(x, y + 1, z), &
              u(x, y, z - 1), u(x, y, z + 1))
          end do
        end do
      end do
      u(1:mesh(1), 1:mesh(2), 1:mesh(3)) = v
    end do
    all = 0
    do z = 1, mesh(3)
      do y = 1, mesh(2)
        do x = 1, mesh(1)
          all = ieor(all, mark(u(x, y, z), x - 1, y - 1, z - 1))
        end do
      end do
    end do
  end function

end program heat
