! What the Fortran tests have in common: expectations that are counted, and meshes whose points have numbers.
module expectations
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use mpi_f08
  use halocline
  implicit none

  integer :: failures = 0
  real(real64), parameter :: untouched = -1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    write (error_unit, '(a, i0, 2a)') "rank ", world_rank(), ": not so: ", what
  end subroutine

  ! The code has that class, and its text those words.
  subroutine expect_refused(code, class, words)
    integer, intent(in) :: code, class
    character(*), intent(in) :: words
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: its_class, length
    call MPI_Error_class(code, its_class)
    call expect(its_class == class, "the class of the refusal that says " // words)
    call HCL_Error_string(code, text, length)
    call expect(index(text(1:length), words) > 0, text(1:length) // " says " // words)
  end subroutine

  integer function world_rank()
    call MPI_Comm_rank(MPI_COMM_WORLD, world_rank)
  end function

  integer function world_size()
    call MPI_Comm_size(MPI_COMM_WORLD, world_size)
  end function

  ! Ends the program; it has failed on all ranks if an expectation was not met on one.
  subroutine finish()
    integer :: all_failures
    call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (all_failures > 0) error stop 1
  end subroutine

  ! A different number for every point of a mesh; untouched beyond an open border.
  real(real64) function number(mesh, periods, point)
    integer, intent(in) :: mesh(3), point(3)
    logical, intent(in) :: periods(3)
    integer :: wrapped(3)
    wrapped = merge(modulo(point - 1, mesh) + 1, point, periods)
    number = untouched
    if (any(wrapped < 1) .or. any(wrapped > mesh)) return
    number = wrapped(1) + 1000.0_real64 * (wrapped(2) + 1000.0_real64 * wrapped(3))
  end function

  ! Own points get their numbers plus `salt`, the halo is untouched. `low` points lie before the first own one.
  subroutine fill(u, comm, mesh, periods, low, salt)
    real(real64), intent(inout) :: u(:, :, :)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: mesh(3), low(3)
    logical, intent(in) :: periods(3)
    real(real64), intent(in) :: salt
    integer :: first(3), extents(3), i, j, k
    call HCL_Cart_box(comm, first, extents)
    u = untouched
    do k = 1, extents(3)
      do j = 1, extents(2)
        do i = 1, extents(1)
          u(i + low(1), j + low(2), k + low(3)) = number(mesh, periods, first + [i, j, k] - 1) + salt
        end do
      end do
    end do
  end subroutine

  ! How many points, halo included, do not show their numbers? With `faces`, edges and corners must be untouched.
  integer function wrong_points(u, comm, mesh, periods, low, salt, faces) result(wrong)
    real(real64), intent(in) :: u(:, :, :)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: mesh(3), low(3)
    logical, intent(in) :: periods(3), faces
    real(real64), intent(in) :: salt
    integer :: first(3), extents(3), point(3), i, j, k
    real(real64) :: expected
    call HCL_Cart_box(comm, first, extents)
    wrong = 0
    do k = 1, size(u, 3)
      do j = 1, size(u, 2)
        do i = 1, size(u, 1)
          point = [i, j, k] - low
          expected = number(mesh, periods, first + point - 1)
          if (faces .and. count(point < 1 .or. point > extents) > 1) expected = untouched
          if (expected /= untouched) expected = expected + salt
          if (u(i, j, k) /= expected) wrong = wrong + 1
        end do
      end do
    end do
  end function

end module expectations
