! What processes have in their halos comes to the owners: arrays of every kind of number.
program accumulate_test
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
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
  call fields_of_the_library()
  call arrays_of_every_kind()
  call structures()
  call refusals()
  call MPI_Comm_free(cart)
  call finish()

contains

  ! How many processes have a point, counted from 1, in their halos of width 1: none beyond an open border.
  integer function holders(i, j)
    integer, intent(in) :: i, j
    holders = along(1, i) * along(2, j) - 1
  end function

  integer function along(d, i)
    integer, intent(in) :: d, i
    along = 1
    if (i == 1 .and. (periods(d) .or. first(d) > 1)) along = along + 1
    if (i == extents(d) .and. (periods(d) .or. first(d) + extents(d) <= mesh(d))) along = along + 1
  end function

  subroutine expect_sums(values, own, ghost, what)
    real(real64), intent(in) :: values(0:, 0:)
    integer, intent(in) :: own, ghost
    character(*), intent(in) :: what
    integer :: i, j
    logical :: right
    right = .true.
    do j = 1, extents(2)
      do i = 1, extents(1)
        right = right .and. values(i, j) == own + ghost * holders(i, j)
      end do
    end do
    call expect(right, what)
    call expect(all(values(0, :) == ghost) .and. all(values(:, 0) == ghost), what // ": halos stay as they are")
  end subroutine

  subroutine fields_of_the_library()
    real(real64), pointer, asynchronous :: u(:, :) => null()
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    logical :: done
    integer :: step
    call HCL_Field_create(cart, u, field)
    call HCL_Halo_create(cart, [field], halo)
    do step = 1, 3
      u = 3
      u(1:extents(1), 1:extents(2)) = 10
      call MPI_Barrier(cart)
      if (step == 1) then
        call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_SUM)
      else
        call HCL_Halo_start_accumulate(halo, HCL_ACCUMULATE_SUM)
        done = step == 2
        if (done) call HCL_Halo_wait(halo)
        do while (.not. done)
          call HCL_Halo_test(halo, done)
        end do
      end if
      call expect_sums(u, 10, 3, "sums of a field of the library")
      call MPI_Barrier(cart)
    end do
    u = 3
    u(1:extents(1), 1:extents(2)) = 10
    call MPI_Barrier(cart)
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_MAX)
    call expect(all(u(1:extents(1), 1:extents(2)) == 10), "the largest is the owner's")
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_MIN)
    call expect(u(1, 1) == merge(3, 10, holders(1, 1) > 0), "the least is that of a halo")
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
  end subroutine

  subroutine arrays_of_every_kind()
    integer(int8), asynchronous :: a(0:extents(1) + 1, 0:extents(2) + 1)
    integer(int16), asynchronous :: b(0:extents(1) + 1, 0:extents(2) + 1)
    integer(int32), asynchronous :: c(0:extents(1) + 1, 0:extents(2) + 1)
    integer(int64), asynchronous :: d(0:extents(1) + 1, 0:extents(2) + 1)
    real(real32), asynchronous :: e(0:extents(1) + 1, 0:extents(2) + 1)
    real(real64), asynchronous :: f(2, 0:extents(1) + 1, 0:extents(2) + 1)
    complex(real32), asynchronous :: g(0:extents(1) + 1, 0:extents(2) + 1)
    complex(real64), asynchronous :: h(0:extents(1) + 1, 0:extents(2) + 1)
    type(HCL_Field) :: fields(8)
    type(HCL_Halo) :: halo
    integer :: i, j
    a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; g = 7; h = (8, -9)
    do j = 1, extents(2)
      do i = 1, extents(1)
        a(i, j) = 10; b(i, j) = 10; c(i, j) = 10; d(i, j) = 10
        e(i, j) = 10; f(:, i, j) = 10; g(i, j) = 10; h(i, j) = 10
      end do
    end do
    call HCL_Field_attach(a, fields(1))
    call HCL_Field_attach(b, fields(2))
    call HCL_Field_attach(c, fields(3))
    call HCL_Field_attach(d, fields(4))
    call HCL_Field_attach(e, fields(5))
    call HCL_Field_attach(f, fields(6), components=1)
    call HCL_Field_attach(g, fields(7))
    call HCL_Field_attach(h, fields(8))
    call HCL_Halo_create(cart, fields, halo)
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_SUM)
    call expect_sums(real(a, real64), 10, 1, "integers of 1 byte")
    call expect_sums(real(b, real64), 10, 2, "integers of 2 bytes")
    call expect_sums(real(c, real64), 10, 3, "integers of 4 bytes")
    call expect_sums(real(d, real64), 10, 4, "integers of 8 bytes")
    call expect_sums(real(e, real64), 10, 5, "real numbers of 4 bytes")
    call expect_sums(f(1, :, :), 10, 6, "the first of two components")
    call expect_sums(f(2, :, :), 10, 6, "the second of two components")
    call expect_sums(real(g, real64), 10, 7, "complex numbers of 8 bytes")
    call expect_sums(real(h, real64), 10, 8, "complex numbers of 16 bytes")
    call expect_sums(aimag(h), 0, -9, "their imaginary parts")
    call HCL_Halo_free(halo)
    do i = 1, size(fields)
      call HCL_Field_free(fields(i))
    end do
  end subroutine

  subroutine structures()
    type :: particle
      sequence
      real(real64) :: mass
      integer(int64) :: number
    end type
    type(particle), asynchronous :: p(0:extents(1) + 1, 0:extents(2) + 1)
    type(MPI_Datatype) :: told
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    integer :: code
    p = particle(0.5_real64, 2)
    call HCL_Field_attach(p, field)
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_SUM, code)
    call expect_refused(code, MPI_ERR_TYPE, "field 0")
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_REPLACE)
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
    call MPI_Type_create_struct(2, [1, 1], [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], &
      [MPI_DOUBLE_PRECISION, MPI_INTEGER8], told)
    call HCL_Field_attach(p, field, element=told)
    call MPI_Type_free(told)
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_SUM)
    call expect(p(1, 1)%mass == 0.5 * (1 + holders(1, 1)), "structures whose type is told")
    call expect(p(1, 1)%number == 2 * (1 + holders(1, 1)), "and their second component")
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
  end subroutine

  subroutine refusals()
    real(real64), asynchronous :: u(0:extents(1) + 1, 0:extents(2) + 1)
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    integer :: code
    u = 0
    call HCL_Field_attach(u, field)
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Halo_accumulate(halo, 9, code)
    call expect_refused(code, MPI_ERR_ARG, "op is 9")
    call HCL_Halo_start_accumulate(halo, HCL_ACCUMULATE_SUM)
    call HCL_Halo_accumulate(halo, HCL_ACCUMULATE_SUM, code)
    call expect_refused(code, MPI_ERR_REQUEST, "not complete")
    call HCL_Halo_wait(halo)
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
  end subroutine

end program
