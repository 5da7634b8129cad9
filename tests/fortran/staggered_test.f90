! Fields with one point more than there are cells: what is on faces and nodes, by its coordinates in the mesh.
program staggered_test
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use halocline
  use expectations
  implicit none

  integer, parameter :: mesh(2) = [29, 31]
  logical, parameter :: periods(2) = [.true., .false.]
  type(MPI_Comm) :: cart
  integer :: first(2), extents(2)

  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, periods, cart, stencil=HCL_Stencil_moore(2))
  call HCL_Cart_box(cart, first, extents)
  call faces_and_nodes()
  call refusals()
  call MPI_Comm_free(cart)
  call finish()

contains

  ! The number of a point, counted from 1 on this process, in the mesh; -1 beyond an open border.
  integer(int64) function number_of(i, j, more)
    integer, intent(in) :: i, j, more(2)
    integer :: at(2), points(2), d
    at = first + [i, j] - 2
    points = mesh
    do d = 1, 2
      if (.not. periods(d)) points(d) = points(d) + more(d)
      if (periods(d)) at(d) = modulo(at(d), points(d))
    end do
    number_of = -1
    if (all(at >= 0 .and. at < points)) number_of = at(1) * 1000_int64 + at(2)
  end function

  ! What this process owns, the rest is unknown.
  subroutine number_own(values, more)
    integer(int64), intent(inout) :: values(0:, 0:)
    integer, intent(in) :: more(2)
    integer :: i, j, own(2)
    own = extents
    where (.not. periods .and. first + extents > mesh) own = own + more
    values = -1
    do j = 1, own(2)
      do i = 1, own(1)
        values(i, j) = number_of(i, j, more)
      end do
    end do
  end subroutine

  subroutine expect_numbers(values, more, what)
    integer(int64), intent(in) :: values(0:, 0:)
    integer, intent(in) :: more(2)
    character(*), intent(in) :: what
    integer :: i, j
    logical :: right
    right = all(shape(values) == extents + more + 2)
    do j = 0, ubound(values, 2)
      do i = 0, ubound(values, 1)
        right = right .and. values(i, j) == number_of(i, j, more)
      end do
    end do
    call expect(right, what)
  end subroutine

  subroutine faces_and_nodes()
    integer(int64), pointer, asynchronous :: cells(:, :) => null(), faces(:, :) => null()
    integer(int64), allocatable, asynchronous :: nodes(:, :)
    type(HCL_Field) :: fields(3)
    type(HCL_Halo) :: halo
    integer :: i
    allocate (nodes(0:extents(1) + 2, 0:extents(2) + 2))
    call HCL_Field_create(cart, cells, fields(1))
    call HCL_Field_create(cart, faces, fields(2), staggered=[0, 1])
    call HCL_Field_attach(nodes, fields(3), halo=[1, 1], staggered=[1, 1])
    call HCL_Halo_create(cart, fields, halo)
    call number_own(cells, [0, 0])
    call number_own(faces, [0, 1])
    call number_own(nodes, [1, 1])
    call MPI_Barrier(cart)
    call HCL_Halo_exchange(halo)
    call expect_numbers(cells, [0, 0], "cells")
    call expect_numbers(faces, [0, 1], "faces")
    call expect_numbers(nodes, [1, 1], "nodes")
    call HCL_Halo_verify(halo)
    call HCL_Halo_free(halo)
    do i = 1, 3
      call HCL_Field_free(fields(i))
    end do
  end subroutine

  subroutine refusals()
    real(real64), pointer, asynchronous :: u(:, :) => null()
    type(HCL_Field) :: field
    integer :: code
    call MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN)
    call HCL_Field_create(cart, u, field, staggered=[0, 2], ierror=code)
    call expect(code /= MPI_SUCCESS, "two points more than cells")
    call HCL_Field_create(cart, u, field, staggered=[1], ierror=code)
    call expect(code /= MPI_SUCCESS, "a list of one entry for two dimensions")
  end subroutine

end program staggered_test
