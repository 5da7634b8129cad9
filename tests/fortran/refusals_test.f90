! What is refused, with MPI's error classes, the same on every rank.
program refusals_test
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use halocline
  use expectations
  implicit none

  type(MPI_Comm) :: cart, plain
  logical :: bad
  integer :: dims(2)

  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  bad = world_rank() == world_size() - 1
  dims = [1, world_size()]
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, [6, 5 * world_size()], [.true., .true.], cart, dims=dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .false., plain)
  call MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN)
  call wrong_meshes()
  call wrong_arrays()
  call wrong_pointers()
  call wrong_halos()
  call halos_under_way()
  call sizes_out_of_all_memory()
  call MPI_Comm_free(cart)
  call MPI_Comm_free(plain)
  call finish()

contains

  ! What is wrong on the last rank alone is refused on all.
  subroutine wrong_meshes()
    type(MPI_Comm) :: made
    integer :: code, first(2), short(1), rank, few(2)
    call HCL_Cart_mesh_create(MPI_COMM_WORLD, [6, 6], [.true.], made, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "periods")
    call expect(made == MPI_COMM_NULL, "no communicator was made")
    few = [1, merge(-3, world_size(), bad)]
    call HCL_Cart_mesh_create(MPI_COMM_WORLD, [6, 6 * world_size()], [.true., .true.], made, dims=few, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "-3")
    call HCL_Cart_mesh_create(MPI_COMM_WORLD, [6, 6], [.true., .true.], made, stencil=HCL_Stencil_moore(3), ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "stencil")
    call HCL_Cart_mesh_attach(plain, [6, merge(-7, 5 * world_size(), bad)], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "-7")
    call HCL_Cart_box(plain, first, first, ierror=code)
    call expect_refused(code, MPI_ERR_TOPOLOGY, "no mesh")
    call HCL_Cart_box(cart, first, short, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "extents")
    call HCL_Cart_box(cart, first, first, rank=-1, ierror=code)
    call expect_refused(code, MPI_ERR_RANK, "-1")
    call HCL_Cart_owner(cart, [1, 1, 1], rank, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "point")
    call HCL_Cart_box(MPI_COMM_NULL, first, first, ierror=code)
    call expect_refused(code, MPI_ERR_COMM, "MPI_COMM_NULL")
  end subroutine

  subroutine wrong_arrays()
    real(real64), allocatable, asynchronous :: u(:, :), nothing(:, :)
    real(real64), asynchronous :: scalar
    type(HCL_Field) :: field
    integer :: code
    scalar = 0
    allocate (u(8, 7))
    call HCL_Field_attach(nothing, field, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "not allocated")
    call HCL_Field_attach(u, field, components=2, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "rank 2")
    call HCL_Field_attach(scalar, field, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "rank 0")
    call HCL_Field_attach(u, field, halo=[1, 1, 1], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "halo")
    call HCL_Field_attach(u, field, halo=[4, 1], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "no point of its own")
    call HCL_Field_attach(u, field, element=MPI_DATATYPE_NULL, ierror=code)
    call expect_refused(code, MPI_ERR_TYPE, "MPI_DATATYPE_NULL")
    call assumed_size(u, 7)
    call HCL_Field_free(field, code)
    call expect_refused(code, MPI_ERR_ARG, "HCL_FIELD_NULL")
  end subroutine

  subroutine assumed_size(u, n)
    integer, intent(in) :: n
    real(real64), asynchronous :: u(n, *)
    type(HCL_Field) :: field
    integer :: code
    call HCL_Field_attach(u, field, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "assumed size")
  end subroutine

  subroutine wrong_pointers()
    real(real64), pointer, asynchronous :: u(:, :) => null(), v(:, :, :) => null()
    type(HCL_Field) :: field
    integer :: code
    call HCL_Field_create(cart, v, field, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "rank 3")
    call expect(.not. associated(v), "the pointer points nowhere")
    call HCL_Field_create(cart, v, field, components=[merge(0, 2, bad)], ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "0 components")
    call HCL_Field_create(cart, u, field, halo=[1, merge(-2, 1, bad)], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "-2")
    call HCL_Field_create(cart, u, field, lower=[1], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "lower")
    call HCL_Field_create(plain, u, field, ierror=code)
    call expect_refused(code, MPI_ERR_TOPOLOGY, "no mesh")
    call expect(.not. associated(u), "nothing was made")
  end subroutine

  subroutine wrong_halos()
    real(real64), allocatable, asynchronous :: u(:, :)
    type(HCL_Field) :: field, none
    type(HCL_Halo) :: halo
    logical :: done
    integer :: code
    call HCL_Halo_start(halo, code)
    call expect_refused(code, MPI_ERR_REQUEST, "HCL_HALO_NULL")
    call HCL_Halo_test(halo, done, code)
    call expect_refused(code, MPI_ERR_REQUEST, "HCL_HALO_NULL")
    allocate (u(merge(9, 8, bad), 7))
    call HCL_Field_attach(u, field)
    call HCL_Halo_create(cart, [field], halo, ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "7x5")
    call HCL_Field_free(field)
    deallocate (u)
    allocate (u(8, 7))
    call HCL_Field_attach(u, field)
    if (bad) then
      call HCL_Halo_create(cart, [field, none], halo, ierror=code)
    else
      call HCL_Halo_create(cart, [field, field], halo, ierror=code)
    end if
    call expect_refused(code, MPI_ERR_ARG, "field 1 is HCL_FIELD_NULL")
    call HCL_Halo_create(cart, [field], halo, directions=HCL_Stencil_moore(merge(3, 2, bad)), ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "directions")
    call HCL_Halo_create(cart, [field], halo, directions=reshape([2, 0], [2, 1]), ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "(2,0)")
    ! Nothing is left half done.
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Halo_verify(halo, code)
    call expect(code == MPI_SUCCESS, "the next halo is right")
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
  end subroutine

  ! Whether data has come or not, until it was waited for.
  subroutine halos_under_way()
    real(real64), allocatable, asynchronous :: u(:, :)
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    logical :: done
    integer :: code, time
    allocate (u(8, 7), source=0.0_real64)
    call HCL_Field_attach(u, field)
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Halo_start(halo)
    do time = 1, 2
      call HCL_Halo_start(halo, code)
      call expect_refused(code, MPI_ERR_REQUEST, "not complete")
      call HCL_Halo_exchange(halo, code)
      call expect_refused(code, MPI_ERR_REQUEST, "not complete")
      call HCL_Halo_free(halo, code)
      call expect_refused(code, MPI_ERR_REQUEST, "under way")
    end do
    done = .false.
    do while (.not. done)
      call HCL_Halo_test(halo, done)
    end do
    call HCL_Halo_exchange(halo)
    call HCL_Halo_verify(halo, code)
    call expect(code == MPI_SUCCESS, "the halo is right afterwards")
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
  end subroutine

  subroutine sizes_out_of_all_memory()
    integer, parameter :: most = huge(1)
    real(real64), pointer, asynchronous :: u(:, :) => null(), v(:, :, :) => null(), w(:, :, :, :) => null()
    real(real64), allocatable, asynchronous :: array(:, :)
    type(HCL_Field) :: field
    integer :: code, rank
    allocate (array(8, 7))
    call HCL_Field_attach(array, field, halo=[most, most], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "no point of its own")
    call HCL_Field_create(cart, u, field, halo=[merge(most, 1, bad), merge(most, 1, bad)], ierror=code)
    call expect_refused(code, MPI_ERR_DIMS, "a field of")
    call HCL_Field_create(cart, v, field, components=[merge(most, 2, bad)], ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "bytes in an element")
    ! One more than an integer of 4 bytes can count the bytes of: taken for one if that is not seen.
    call HCL_Field_create(cart, v, field, components=[2**29 + 1], ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "bytes in an element")
    call HCL_Field_create(cart, w, field, components=[2**30, 2**30], ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "64 bits")
    call expect(.not. (associated(u) .or. associated(v) .or. associated(w)), "nothing was made")
    call HCL_Cart_owner(cart, [-huge(1_int64) - 1, 1_int64], rank, ierror=code)
    call expect_refused(code, MPI_ERR_ARG, "64 bits")
  end subroutine

end program refusals_test
