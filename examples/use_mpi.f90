! SPDX-License-Identifier: BSD-3-Clause
! Averages of four neighbours on a periodic mesh, in a program with the integer handles of `use mpi`. The sum of all
! values stays what it is, to the last bit.
program use_mpi
  use mpi
  use halocline
  implicit none

  integer :: cart, first(2), n(2), step, i, rank, ierror
  type(HCL_Field) :: fields(2)
  type(HCL_Halo) :: halo
  double precision, pointer, asynchronous :: u(:, :) => null(), v(:, :) => null(), kept(:, :)
  double precision :: before, after

  call MPI_Init(ierror)
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, [32, 48], [.true., .true.], cart)
  call HCL_Cart_box(cart, first, n)
  call HCL_Field_create(cart, u, fields(1))
  call HCL_Field_create(cart, v, fields(2))
  call HCL_Halo_create(cart, fields, halo, nmemories=[2])  ! one field, which has the two memories in turn

  do i = 1, n(1)
    u(i, 1:n(2)) = first(1) + i
  end do
  before = total(u)
  do step = 1, 8
    call HCL_Halo_exchange_with(halo, u)
    v(1:n(1), 1:n(2)) = (u(0:n(1) - 1, 1:n(2)) + u(2:n(1) + 1, 1:n(2)) + u(1:n(1), 0:n(2) - 1) + &
      u(1:n(1), 2:n(2) + 1)) / 4
    kept => u
    u => v
    v => kept
  end do
  after = total(u)

  call MPI_Comm_rank(cart, rank, ierror)
  if (rank == 0) print '(a, f0.1, a, f0.1)', "the sum was ", before, " and is ", after
  call HCL_Halo_free(halo)
  call HCL_Field_free(fields(1))
  call HCL_Field_free(fields(2))
  call MPI_Comm_free(cart, ierror)
  call MPI_Finalize(ierror)
  if (before /= after) error stop 1

contains

  ! Of the own points of all processes.
  double precision function total(values)
    double precision, pointer, asynchronous, intent(in) :: values(:, :)
    double precision :: mine
    mine = sum(values(1:n(1), 1:n(2)))
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, cart, ierror)
  end function

end program use_mpi
