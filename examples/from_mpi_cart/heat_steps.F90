! SPDX-License-Identifier: BSD-3-Clause
! The program of docs/from_mpi_cart.md, as heat_steps.c: the heat equation on a 3-D mesh, x open with cold walls, y and z
! periodic. STEP says how far it has come: 0 is plain MPI; 1 has Halocline's exchange of its own arrays on its own
! communicator; 2 has a communicator that is made for the mesh; 3 has fields of the library. The answer is always the
! same, to the last bit.
!
!   mpirun -n 8 heat_steps_fortran_0 [nx ny nz steps]        also heat_steps_fortran_1, _2, _3
program heat_steps
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
#if STEP > 0
  use halocline
#endif
  implicit none

  integer :: mesh(3) = [64, 64, 64], steps = 20
  logical, parameter :: periods(3) = [.false., .true., .true.]
  integer :: first(3), n(3)                        ! the own points: where they begin in the mesh, how many there are
  type(MPI_Comm) :: cart
#if STEP < 3
  real(real64), allocatable, asynchronous :: u(:, :, :), v(:, :, :)
#else
  real(real64), pointer, asynchronous :: u(:, :, :) => null(), v(:, :, :) => null()
  type(HCL_Field) :: field_v
#endif
#if STEP == 0
  type(MPI_Datatype) :: faces(4, 3)                ! first own points, last own points, halo before, halo behind
  integer :: before(3), behind(3)
#else
  type(HCL_Field) :: field
  type(HCL_Halo) :: halo
#endif

  call MPI_Init()
  call read_arguments()
  call make_communicator()

#if STEP < 3
  allocate (u(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1), v(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1), source=0.0_real64)
#else
  call HCL_Field_create(cart, u, field)            ! u(0:n(1)+1, 0:n(2)+1, 0:n(3)+1), all zero
  call HCL_Field_create(cart, v, field_v)
#endif
#if STEP == 0
  call make_faces()
#else
#if STEP < 3
  call HCL_Field_attach(u, field)                  ! one layer on each side is the halo
#endif
  call HCL_Halo_create(cart, [field], halo, directions=HCL_Stencil_nearest(3))
#endif

  call solve()

#if STEP > 0
  call HCL_Halo_free(halo)
  call HCL_Field_free(field)
#endif
#if STEP == 3
  call HCL_Field_free(field_v)
#endif
  call MPI_Comm_free(cart)
  call MPI_Finalize()

contains

  subroutine read_arguments()
    character(16) :: word
    integer :: i, numbers(4)
    if (command_argument_count() /= 4) return
    do i = 1, 4
      call get_command_argument(i, word)
      read (word, *) numbers(i)
    end do
    mesh = numbers(1:3)
    steps = numbers(4)
  end subroutine

  subroutine make_communicator()
#if STEP < 2
    integer :: dims(3), coords(3), ranks, rank
    dims = 0
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Dims_create(ranks, 3, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, .false., cart)
    call MPI_Comm_rank(cart, rank)
    call MPI_Cart_coords(cart, rank, 3, coords)
    first = mesh * coords / dims + 1
    n = mesh * (coords + 1) / dims + 1 - first
#else
    call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, periods, cart)
    call HCL_Cart_box(cart, first, n)
#endif
  end subroutine

#if STEP == 0
  subroutine make_faces()
    integer :: d, face, begins(4), subsizes(3), starts(3)
    do d = 1, 3
      call MPI_Cart_shift(cart, d - 1, 1, before(d), behind(d))
      begins = [1, n(d), 0, n(d) + 1]
      do face = 1, 4
        subsizes = n
        subsizes(d) = 1
        starts = 1
        starts(d) = begins(face)
        call MPI_Type_create_subarray(3, n + 2, subsizes, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, faces(face, d))
        call MPI_Type_commit(faces(face, d))
      end do
    end do
  end subroutine

  subroutine exchange()
    integer :: d
    do d = 1, 3
      call MPI_Sendrecv(u, 1, faces(1, d), before(d), 0, u, 1, faces(4, d), behind(d), 0, cart, MPI_STATUS_IGNORE)
      call MPI_Sendrecv(u, 1, faces(2, d), behind(d), 0, u, 1, faces(3, d), before(d), 0, cart, MPI_STATUS_IGNORE)
    end do
  end subroutine
#endif

  subroutine solve()
    integer :: x, y, z, i, rank
    real(real64) :: began, least, longest            ! of all exchanges the shortest; of all processes the longest of these
    integer(int64) :: answer
    do z = 1, n(3)
      do y = 1, n(2)
        do x = 1, n(1)
          u(x, y, z) = mod((first(1) + x - 2) * mesh(2) + 7 * (first(2) + y - 2) + 29 * (first(3) + z - 2), 101)
        end do
      end do
    end do

    least = huge(least)
    do i = 1, steps
      call MPI_Barrier(cart)                       ! for the time alone: nobody is late
      began = MPI_Wtime()
#if STEP == 0
      call exchange()
#else
      call HCL_Halo_exchange(halo)
#endif
      least = min(least, MPI_Wtime() - began)
      ! Weights are powers of two, so that it does not matter whether the compiler fuses products and sums.
      do z = 1, n(3)
        do y = 1, n(2)
          do x = 1, n(1)
            v(x, y, z) = 0.25_real64 * u(x, y, z) + 0.125_real64 * (((u(x - 1, y, z) + u(x + 1, y, z)) + &
              (u(x, y - 1, z) + u(x, y + 1, z))) + (u(x, y, z - 1) + u(x, y, z + 1)))
          end do
        end do
      end do
      u(1:n(1), 1:n(2), 1:n(3)) = v(1:n(1), 1:n(2), 1:n(3))
    end do

    answer = checksum()
    call MPI_Comm_rank(cart, rank)
    call MPI_Reduce(least, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, cart)
    if (rank == 0) print '("step ", i0, ", ", 2(i0, "x"), i0, " points: ", z16.16, ", ", f0.1, " us for the fastest exchange")', &
      STEP, mesh, answer, 1e6_real64 * longest
  end subroutine

  ! What tells this result from any other, whatever the order in which points are looked at.
  integer(int64) function checksum() result(all)
    integer(int64) :: mine, point
    integer :: x, y, z
    mine = 0
    do z = 1, n(3)
      do y = 1, n(2)
        do x = 1, n(1)
          point = (int(first(1) + x - 2, int64) * mesh(2) + first(2) + y - 2) * mesh(3) + first(3) + z - 2
          mine = ieor(mine, ishftc(transfer(u(x, y, z), mine), int(mod(point, 63_int64)) + 1))
        end do
      end do
    end do
    call MPI_Allreduce(mine, all, 1, MPI_INTEGER8, MPI_BXOR, cart)
  end function

end program heat_steps
