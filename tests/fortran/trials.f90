! Random cases of a test, a few each time or as many as there is time for, as tests/mpi/support/trials.hpp has them:
!   HALOCLINE_SECONDS=600                 for ten minutes, with a line of progress now and then
!   HALOCLINE_SEED=4711                   from that seed on
!   HALOCLINE_SEED=4711 HALOCLINE_CASES=1 that one alone
module trials
  use, intrinsic :: iso_fortran_env, only: int64, output_unit, real64
  use mpi_f08
  use expectations
  implicit none
  private
  public :: trials_begin, trials_next, trials_seed, random_stream, random_in, coin

  character(:), allocatable :: what
  integer(int64) :: first_seed, seconds, cases, done
  real(real64) :: began, told

  ! Numbers that follow from a seed, on all compilers alike.
  type random_stream
    integer(int64) :: state = 1
  contains
    procedure :: seed => seed_stream
  end type

contains

  subroutine trials_begin(name, seed, by_default)
    character(*), intent(in) :: name
    integer, intent(in) :: seed, by_default
    what = name
    first_seed = number_in("HALOCLINE_SEED", int(seed, int64))
    seconds = number_in("HALOCLINE_SECONDS", 0_int64)
    cases = 0
    if (seconds == 0) cases = number_in("HALOCLINE_CASES", int(by_default, int64))
    done = 0
    began = MPI_Wtime()
    told = 0
    if (world_rank() == 0) then
      print '(2a, i0, a)', what, ": from seed ", first_seed, " on"
      flush (output_unit)
    end if
  end subroutine

  ! Is there another case? Not after one that failed on any rank. Collective over the world.
  logical function trials_next() result(another)
    integer :: all_failures
    real(real64) :: passed
    passed = MPI_Wtime() - began
    another = merge(done < cases, passed < real(seconds, real64), cases > 0)
    call MPI_Bcast(another, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD)  ! clocks differ
    call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (world_rank() == 0) then
      if (done > 0 .and. all_failures > 0) print '(2a, i0, a)', what, ": seed ", trials_seed(), " failed"
      if (.not. another .or. all_failures > 0) then
        print '(2a, i0, a, i0, a)', what, ": ", done, " cases in ", int(passed), " s"
      else if (seconds > 0 .and. passed >= told + 10) then
        told = passed
        print '(2a, i0, a, i0, a, i0, a, i0)', what, ": ", done, " cases in ", int(passed), " of ", seconds, &
          " s, now seed ", trials_seed() + 1
      end if
      flush (output_unit)
    end if
    another = another .and. all_failures == 0
    if (another) done = done + 1
  end function

  ! Of the case that trials_next() told of; the same on all ranks.
  integer(int64) function trials_seed()
    trials_seed = first_seed + done - 1
  end function

  integer(int64) function number_in(variable, otherwise)
    character(*), intent(in) :: variable
    integer(int64), intent(in) :: otherwise
    character(32) :: text
    integer :: status
    number_in = otherwise
    call get_environment_variable(variable, text, status=status)
    if (status == 0) read (text, *) number_in
  end function

  subroutine seed_stream(self, seed, stream)
    class(random_stream), intent(inout) :: self
    integer(int64), intent(in) :: seed
    integer, intent(in) :: stream
    integer :: i
    self%state = 1 + modulo(modulo(seed, 1000000007_int64) * 7919 + stream * 104729_int64, 2147483646_int64)
    do i = 1, 10
      self%state = modulo(self%state * 48271, 2147483647_int64)
    end do
  end subroutine

  ! From low to high, both included.
  integer function random_in(random, low, high)
    type(random_stream), intent(inout) :: random
    integer, intent(in) :: low, high
    random%state = modulo(random%state * 48271, 2147483647_int64)
    random_in = low + int(modulo(random%state / 7, int(high - low + 1, int64)))
  end function

  logical function coin(random, one_of)
    type(random_stream), intent(inout) :: random
    integer, intent(in) :: one_of
    coin = random_in(random, 1, one_of) == 1
  end function

end module trials
