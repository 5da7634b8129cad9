! Halos of arrays of every kind, as a Fortran program has them.
program halo_test
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use mpi_f08
  use halocline
  use expectations
  implicit none

  integer, parameter :: mesh(3) = [37, 35, 33]
  logical, parameter :: periods(3) = [.true., .false., .true.]
  type(MPI_Comm) :: cart

  call MPI_Init()
  call HCL_Cart_mesh_create(MPI_COMM_WORLD, mesh, periods, cart, stencil=HCL_Stencil_moore(3))
  call boxes_make_up_the_mesh()
  call fields_of_the_library()
  call components_come_first()
  call every_type()
  call sections_are_not_copied()
  call computation_overlaps()
  call traffic_is_told()
  call the_first_dimension_stays_together()
  call boundary_values_travel_along_the_border()
  call MPI_Comm_free(cart)
  call finish()

contains

  subroutine boxes_make_up_the_mesh()
    integer :: first(3), extents(3), rank, owner, points, known(3), widths(3)
    integer(int64) :: long_first(3), long_extents(3), long_mesh(3)
    points = 0
    do rank = 0, world_size() - 1
      call HCL_Cart_box(cart, first, extents, rank)
      points = points + product(extents)
      call HCL_Cart_owner(cart, first, owner)
      call expect(owner == rank, "the first point belongs to its process")
      call HCL_Cart_owner(cart, int(first + extents - 1, int64), owner)
      call expect(owner == rank, "the last point belongs to its process")
    end do
    call expect(points == product(mesh), "the boxes have all points of the mesh")
    call HCL_Cart_box(cart, first, extents)
    call HCL_Cart_box(cart, long_first, long_extents)
    call expect(all(first == long_first) .and. all(extents == long_extents), "boxes are the same in 64 bits")
    call HCL_Cart_mesh_get(cart, known, widths)
    call expect(all(known == mesh) .and. all(widths == 1), "the communicator knows its mesh")
    call HCL_Cart_mesh_get(cart, long_mesh)
    call expect(all(long_mesh == mesh), "the communicator knows its mesh in 64 bits")
    call HCL_Cart_owner(cart, [1, 0, 1], owner)
    call expect(owner == MPI_PROC_NULL, "nobody owns what is beyond an open border")
    call HCL_Cart_owner(cart, [mesh(1) + 1, 1, 1], owner)
    call HCL_Cart_owner(cart, [1, 1, 1], rank)
    call expect(owner == rank, "a periodic dimension goes around")
  end subroutine

  subroutine fields_of_the_library()
    real(real64), pointer, asynchronous :: u(:, :, :) => null(), v(:, :, :) => null()
    type(HCL_Field) :: fields(2)
    type(HCL_Halo) :: halo
    integer, parameter :: low(3) = [1, 2, 0], high(3) = [2, 0, 1]
    integer :: first(3), extents(3), step
    call HCL_Cart_box(cart, first, extents)
    call HCL_Field_create(cart, u, fields(1), halo=low, halo_high=high)
    call HCL_Field_create(cart, v, fields(2), lower=first)
    call expect(all(lbound(u) == 1 - low) .and. all(ubound(u) == extents + high), "own points count from 1")
    call expect(all(lbound(v) == first - 1) .and. all(ubound(v) == first + extents), "or as in the mesh")
    call expect(all(u == 0) .and. all(v == 0), "all values are zero at first")
    call HCL_Halo_create(cart, fields, halo)
    do step = 1, 3
      call fill(u, cart, mesh, periods, low, real(step, real64))
      call fill(v, cart, mesh, periods, [1, 1, 1], 0.5_real64)
      call HCL_Halo_exchange(halo)
      call expect(wrong_points(u, cart, mesh, periods, low, real(step, real64), .false.) == 0, "u is right")
      call expect(wrong_points(v, cart, mesh, periods, [1, 1, 1], 0.5_real64, .false.) == 0, "v is right")
    end do
    call HCL_Halo_verify(halo)
    call HCL_Halo_free(halo)
    call HCL_Halo_create(cart, fields(2:2), halo, directions=HCL_Stencil_nearest(3))
    call fill(v, cart, mesh, periods, [1, 1, 1], 0.0_real64)
    call HCL_Halo_exchange(halo)
    call expect(wrong_points(v, cart, mesh, periods, [1, 1, 1], 0.0_real64, .true.) == 0, "faces alone")
    call HCL_Halo_free(halo)
    call HCL_Field_free(fields(1))
    call HCL_Field_free(fields(2))
  end subroutine

  subroutine components_come_first()
    real(real64), pointer, asynchronous :: u(:, :, :, :) => null()
    real(real64), allocatable, asynchronous :: v(:, :, :, :)
    type(HCL_Field) :: fields(2)
    type(HCL_Halo) :: halo
    integer :: first(3), extents(3), c
    call HCL_Cart_box(cart, first, extents)
    call HCL_Field_create(cart, u, fields(1), components=[3])
    allocate (v(0:1, 0:extents(1) + 1, 0:extents(2) + 1, 0:extents(3) + 1))
    call HCL_Field_attach(v, fields(2), components=1)
    call expect(all(lbound(u) == [1, 0, 0, 0]) .and. ubound(u, 1) == 3, "components are before the points")
    call HCL_Halo_create(cart, fields, halo)
    do c = 1, 3
      call fill(u(c, :, :, :), cart, mesh, periods, [1, 1, 1], c * 1e9_real64)
    end do
    do c = 0, 1
      call fill(v(c, :, :, :), cart, mesh, periods, [1, 1, 1], c * 1e9_real64)
    end do
    call HCL_Halo_exchange(halo)
    do c = 1, 3
      call expect(wrong_points(u(c, :, :, :), cart, mesh, periods, [1, 1, 1], c * 1e9_real64, .false.) == 0, &
        "a component of the library's field")
    end do
    do c = 0, 1
      call expect(wrong_points(v(c, :, :, :), cart, mesh, periods, [1, 1, 1], c * 1e9_real64, .false.) == 0, &
        "a component of the program's array")
    end do
    call HCL_Halo_free(halo)
    call HCL_Field_free(fields(1))
    call HCL_Field_free(fields(2))
  end subroutine

  subroutine every_type()
    integer(int8), pointer, asynchronous :: a(:, :, :) => null()
    integer(int16), pointer, asynchronous :: b(:, :, :) => null()
    integer(int32), pointer, asynchronous :: c(:, :, :) => null()
    integer(int64), pointer, asynchronous :: d(:, :, :) => null()
    real(real32), pointer, asynchronous :: e(:, :, :) => null()
    complex(real32), pointer, asynchronous :: f(:, :, :) => null()
    complex(real64), pointer, asynchronous :: g(:, :, :) => null()
    logical, allocatable, asynchronous :: h(:, :, :)
    character(5), allocatable, asynchronous :: s(:, :, :)
    type(HCL_Field) :: fields(9)
    type(HCL_Halo) :: halo
    integer :: first(3), extents(3), i
    call HCL_Cart_box(cart, first, extents)
    call HCL_Field_create(cart, a, fields(1))
    call HCL_Field_create(cart, b, fields(2))
    call HCL_Field_create(cart, c, fields(3))
    call HCL_Field_create(cart, d, fields(4))
    call HCL_Field_create(cart, e, fields(5))
    call HCL_Field_create(cart, f, fields(6))
    call HCL_Field_create(cart, g, fields(7))
    allocate (h(extents(1) + 2, extents(2) + 2, extents(3) + 2), s(extents(1) + 2, extents(2) + 2, extents(3) + 2))
    call HCL_Field_attach(h, fields(8))
    call HCL_Field_attach(s, fields(9))
    call HCL_Halo_create(cart, fields, halo)
    g(1:extents(1), 1:extents(2), 1:extents(3)) = (1, -2)
    s = "self "
    s(2:extents(1) + 1, 2:extents(2) + 1, 2:extents(3) + 1) = "other"
    call HCL_Halo_verify(halo)
    call HCL_Halo_exchange(halo)
    call expect(all(g(:, 1:extents(2), :) == (1, -2)), "complex values arrive")
    call expect(all(s(:, 2:extents(2) + 1, :) == "other"), "characters arrive")
    call HCL_Halo_free(halo)
    do i = 1, size(fields)
      call HCL_Field_free(fields(i))
    end do
  end subroutine

  subroutine sections_are_not_copied()
    type particle
      integer :: tag
      real(real64) :: mass
      real(real32) :: velocity(3)
    end type
    real(real64), allocatable, asynchronous :: u(:, :, :)
    type(particle), allocatable, asynchronous :: p(:, :, :), q(:, :, :), r(:, :, :)
    type(particle) :: example(2)
    type(HCL_Field) :: fields(4)
    type(HCL_Halo) :: halo
    type(MPI_Datatype) :: mass, mass_alone
    integer :: first(3), extents(3), i
    integer(MPI_ADDRESS_KIND) :: addresses(3)
    call HCL_Cart_box(cart, first, extents)
    associate (n => extents + 2)
      ! Every second point of the first dimension, from the last to the first along the third.
      allocate (u(2 * n(1), n(2) + 3, n(3)), p(n(1), n(2), n(3)), q(n(1), n(2), n(3)), &
        r(n(1), n(2), n(3)))
      u = 77
      p = particle(5, 6.0_real64, [7.0, 8.0, 9.0])
      q = particle(world_rank(), 0.0_real64, real(world_rank()) * [1, 1, 1])
      call HCL_Field_attach(u(2::2, 3:n(2) + 2, n(3):1:-1), fields(1))
      call HCL_Field_attach(p(:, :, :)%mass, fields(2))
      r = particle(0, 0.0_real64, [0.0, 0.0, 0.0])
      r(2:n(1) - 1, 2:n(2) - 1, 2:n(3) - 1) = particle(4, 3.0_real64, [2.0, 1.0, 0.0])
      call HCL_Field_attach(r, fields(3))
      call MPI_Get_address(example(1), addresses(1))
      call MPI_Get_address(example(1)%mass, addresses(2))
      call MPI_Get_address(example(2), addresses(3))
      call MPI_Type_create_struct(1, [1], [addresses(2) - addresses(1)], [MPI_REAL8], mass_alone)
      call MPI_Type_create_resized(mass_alone, 0_MPI_ADDRESS_KIND, addresses(3) - addresses(1), mass)
    end associate
    call HCL_Field_attach(q, fields(4), element=mass)
    call MPI_Type_free(mass)
    call MPI_Type_free(mass_alone)
    call HCL_Halo_create(cart, fields, halo)
    call fill(u(2::2, 3:extents(2) + 4, extents(3) + 2:1:-1), cart, mesh, periods, [1, 1, 1], 0.0_real64)
    call fill_masses(p%mass, q%mass)
    call HCL_Halo_exchange(halo)
    call expect(wrong_points(u(2::2, 3:extents(2) + 4, extents(3) + 2:1:-1), cart, mesh, periods, [1, 1, 1], &
      0.0_real64, .false.) == 0, "a section shows its neighbours")
    call expect(all(u(1::2, :, :) == 77) .and. all(u(:, :2, :) == 77), "what is between is not touched")
    call expect(wrong_points(p%mass, cart, mesh, periods, [1, 1, 1], 0.0_real64, .false.) == 0, "masses arrive")
    call expect(wrong_points(q%mass, cart, mesh, periods, [1, 1, 1], 0.0_real64, .false.) == 0, "elements arrive")
    call expect(all(p%tag == 5) .and. all(p%velocity(2) == 8), "only a component is exchanged")
    call expect(all(q%tag == world_rank()), "only the parts in the datatype are exchanged")
    call expect(all(r(:, 2:extents(2) + 1, :)%tag == 4) .and. all(r(:, 2:extents(2) + 1, :)%velocity(1) == 2), &
      "all of a derived type arrives")
    call HCL_Halo_free(halo)
    do i = 1, size(fields)
      call HCL_Field_free(fields(i))
    end do
  end subroutine

  subroutine fill_masses(p, q)
    real(real64), intent(inout) :: p(:, :, :), q(:, :, :)
    call fill(p, cart, mesh, periods, [1, 1, 1], 0.0_real64)
    call fill(q, cart, mesh, periods, [1, 1, 1], 0.0_real64)
  end subroutine

  subroutine computation_overlaps()
    real(real64), allocatable, asynchronous :: u(:, :, :)
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    integer :: first(3), extents(3)
    call HCL_Cart_box(cart, first, extents)
    allocate (u(0:extents(1) + 1, 0:extents(2) + 1, 0:extents(3) + 1))
    call HCL_Field_attach(u, field)
    call HCL_Halo_create(cart, [field], halo)
    call HCL_Field_free(field)
    call overlap(u, extents, halo)
    call HCL_Halo_free(halo)
  end subroutine

  ! The compiler sees no more of u than that it is asynchronous: it must read the halo again after the wait.
  subroutine overlap(u, extents, halo)
    integer, intent(in) :: extents(3)
    real(real64), asynchronous, intent(inout) :: u(0:extents(1) + 1, 0:extents(2) + 1, 0:extents(3) + 1)
    type(HCL_Halo), intent(in) :: halo
    real(real64) :: before, inside
    logical :: done
    integer :: step
    do step = 1, 2
      call fill(u, cart, mesh, periods, [1, 1, 1], step * 1e9_real64)
      before = u(0, 1, 1)
      call HCL_Halo_start(halo)
      inside = sum(u(1:extents(1), 1:extents(2), 1:extents(3)))
      done = .false.
      do while (.not. done)
        call HCL_Halo_test(halo, done)
      end do
      call HCL_Halo_wait(halo)
      call expect(before == untouched .and. u(0, 1, 1) /= untouched, "a value is read again after the wait")
      call expect(inside > 0, "own points can be read meanwhile")
      call expect(wrong_points(u, cart, mesh, periods, [1, 1, 1], step * 1e9_real64, .false.) == 0, &
        "all points are right after the wait")
    end do
  end subroutine

  ! A program sets the values beyond an open border on its own columns, then exchanges, then reads the corners.
  subroutine boundary_values_travel_along_the_border()
    integer, parameter :: nx = 41, ny = 5
    real(real64), asynchronous :: u(0:nx + 1, 0:ny + 1)
    type(MPI_Comm) :: line
    type(MPI_Info) :: info
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    integer :: i, coords(2)
    logical :: carried
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [world_size(), 1], [.false., .false.], .false., line)
    call MPI_Cart_coords(line, world_rank(), 2, coords)
    call HCL_Field_attach(u, field, [1, 1])
    call MPI_Info_create(info)
    do i = 1, 2
      carried = i == 2
      if (carried) call MPI_Info_set(info, "halocline_borders", "carry")
      call HCL_Halo_create(line, [field], halo, info=info)
      call set_boundary(u, nx, ny, nx * coords(1))
      call HCL_Halo_exchange(halo)
      call expect(u(0, 0) == merge(-100.0d0 - nx * coords(1), 0.0d0, carried .and. coords(1) > 0), "u(0,0)")
      call expect(u(nx + 1, ny + 1) == merge(-201.0d0 - nx * (coords(1) + 1), 0.0d0, &
        carried .and. coords(1) < world_size() - 1), "u(nx+1,ny+1)")
      call expect(all(u(1:nx, 0) < 0), "what lies beside own points stays")
      call HCL_Halo_verify(halo)
      call HCL_Halo_free(halo)
    end do
    call MPI_Info_free(info)
    call HCL_Field_free(field)
    call MPI_Comm_free(line)
  end subroutine

  ! The second process of a plain program has u(0,0) = -141 after the exchange.
  subroutine set_boundary(u, columns, rows, before)
    integer, intent(in) :: columns, rows, before
    real(real64), intent(out) :: u(0:columns + 1, 0:rows + 1)
    integer :: x
    u = 0
    do x = 1, columns
      u(x, 0) = -100 - (before + x)
      u(x, rows + 1) = -200 - (before + x)
    end do
  end subroutine

  subroutine traffic_is_told()
    real(real64), pointer, asynchronous :: u(:, :, :) => null()
    type(HCL_Field) :: field
    type(HCL_Halo) :: halo
    type(HCL_Statistics) :: statistics
    character(:), allocatable :: report
    integer :: first(3), extents(3)
    integer(int64) :: bytes
    call HCL_Cart_box(cart, first, extents)
    call HCL_Field_create(cart, u, field)
    call HCL_Halo_create(cart, [field], halo, directions=reshape([1, 0, 0, -1, 0, 0], [3, 2]))
    call HCL_Halo_exchange(halo)
    call HCL_Halo_exchange(halo)
    call HCL_Halo_statistics(halo, statistics)
    bytes = statistics%self_bytes + statistics%node_bytes + statistics%network_bytes
    call expect(statistics%exchanges == 2, "exchanges are counted")
    call expect(bytes == 2 * 2 * 8 * extents(2) * extents(3), "bytes are counted")
    call HCL_Halo_report(halo, report)
    call expect(len(report) > 10, "the report says something")
    call HCL_Halo_free(halo)
    call HCL_Field_free(field)
  end subroutine

  subroutine the_first_dimension_stays_together()
    type(MPI_Comm) :: comm
    integer :: dims(3)
    if (world_size() /= 2 .and. world_size() /= 4) return
    dims = 0
    call HCL_Cart_mesh_create(MPI_COMM_WORLD, [48, 48, 48], [.true., .true., .true.], comm, dims=dims)
    call expect(dims(1) == 1 .and. product(dims) == world_size(), "the first dimension is not cut")
    call MPI_Comm_free(comm)
  end subroutine

end program halo_test
