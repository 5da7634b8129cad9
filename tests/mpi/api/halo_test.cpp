// The halo exchange as a C program has it: meshes of communicators, fields, halos.

#include "halocline/halocline.h"
#include "halocline/halocline.hpp"
#include "mpi/handles/handle.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace halocline::api_halo_tests {
namespace {

using Sizes = std::vector<int64_t>;
constexpr double untouched = -1;

/// A communicator for a mesh of three dimensions, the first and the last periodic.
mpi::Comm mesh_comm(const Sizes& mesh, const int* stencil = HCL_STENCIL_MOORE,
                    const int64_t* halo = nullptr) {
  const std::array<int, 3> periods{1, 0, 1};
  std::array<int, 3> dims{};
  mpi::Comm cart;
  EXPECT_EQ(HCL_Cart_mesh_create(MPI_COMM_WORLD, 3, mesh.data(), halo, periods.data(), 1, 0, stencil, nullptr,
                                 MPI_INFO_NULL, dims.data(), cart.put()),
            MPI_SUCCESS);
  EXPECT_EQ(dims[0] * dims[1] * dims[2], world_size());
  return cart;
}

struct OwnBox {
  Sizes first = Sizes(3), extents = Sizes(3);
};
OwnBox box_of(MPI_Comm cart, int rank) {
  OwnBox box;
  EXPECT_EQ(HCL_Cart_box(cart, rank, box.first.data(), box.extents.data()), MPI_SUCCESS);
  return box;
}

/// Any point of a field, halo included, at local coordinates.
using Visit = std::function<void(double&, const std::array<int64_t, 3>&)>;
void for_each_point(HCL_Field field, const Sizes& low, const Sizes& high, const Visit& visit) {
  std::byte* origin = nullptr;
  std::array<MPI_Aint, 3> strides{};
  Sizes extents(3);
  ASSERT_EQ(HCL_Field_get(field, 3, static_cast<void*>(&origin), strides.data(), extents.data()),
            MPI_SUCCESS);
  for (int64_t x = -low[0]; x < extents[0] + high[0]; ++x)
    for (int64_t y = -low[1]; y < extents[1] + high[1]; ++y)
      for (int64_t z = -low[2]; z < extents[2] + high[2]; ++z)
        visit(*reinterpret_cast<double*>(origin + x * strides[0] + y * strides[1] + z * strides[2]),
              {x, y, z});
}

/// The number of a mesh point; untouched beyond the open border of dimension 1.
double number(const Sizes& mesh, const OwnBox& box, const std::array<int64_t, 3>& point) {
  std::array<int64_t, 3> global{};
  for (std::size_t d = 0; d < 3; ++d) global[d] = box.first[d] + point[d];
  if (global[1] < 0 || global[1] >= mesh[1]) return untouched;
  for (const std::size_t d : {0U, 2U}) global[d] = (global[d] + mesh[d]) % mesh[d];
  return static_cast<double>((global[0] * mesh[1] + global[1]) * mesh[2] + global[2]);
}

bool is_own(const OwnBox& box, const std::array<int64_t, 3>& point, int* outside = nullptr) {
  int beyond = 0;
  for (std::size_t d = 0; d < 3; ++d) beyond += point[d] < 0 || point[d] >= box.extents[d] ? 1 : 0;
  if (outside != nullptr) *outside = beyond;
  return beyond == 0;
}

void fill(HCL_Field field, const Sizes& mesh, const OwnBox& box, const Sizes& low, const Sizes& high) {
  for_each_point(field, low, high, [&](double& value, const auto& point) {
    value = is_own(box, point) ? number(mesh, box, point) : untouched;
  });
}

/// Points that do not show the number they should; with `faces`, edges and corners must be untouched.
int wrong_points(HCL_Field field, const Sizes& mesh, const OwnBox& box, const Sizes& low, const Sizes& high,
                 bool faces) {
  int wrong = 0;
  for_each_point(field, low, high, [&](double& value, const auto& point) {
    int outside = 0;
    (void)is_own(box, point, &outside);
    const double expected = faces && outside > 1 ? untouched : number(mesh, box, point);
    if (value != expected) ++wrong;
  });
  return wrong;
}

const Sizes mesh_of_test{int64_t{2} * 16 + 1, 37, 34};

TEST(HaloInC, fields_of_the_library_and_arrays_are_exchanged) {
  const Sizes low{1, 2, 0}, high{2, 1, 1};
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN})
    for (const bool faces : {false, true}) {
      const mpi::Comm cart = mesh_comm(mesh_of_test, faces ? HCL_STENCIL_NEAREST : HCL_STENCIL_MOORE);
      const OwnBox box = box_of(cart.get(), mpi::rank(cart.get()));
      std::array<HCL_Field, 2> fields{};
      ASSERT_EQ(HCL_Field_create(cart.get(), MPI_DOUBLE, low.data(), high.data(), order, MPI_INFO_NULL,
                                 fields.data()),
                MPI_SUCCESS);
      Sizes all(3);
      std::size_t points = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        all[d] = box.extents[d] + low[d] + high[d];
        points *= static_cast<std::size_t>(all[d]);
      }
      std::vector<double> array(points);
      ASSERT_EQ(HCL_Field_attach(array.data(), 3, all.data(), low.data(), high.data(), order, MPI_DOUBLE,
                                 &fields[1]),
                MPI_SUCCESS);
      HCL_Halo halo = HCL_HALO_NULL;
      ASSERT_EQ(
          HCL_Halo_create(cart.get(), 2, fields.data(), 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo),
          MPI_SUCCESS);
      for (HCL_Field field : fields) fill(field, mesh_of_test, box, low, high);
      ASSERT_EQ(HCL_Halo_start(halo), MPI_SUCCESS);
      for (int done = 0; done == 0;) {
        ASSERT_EQ(HCL_Halo_test(halo, &done), MPI_SUCCESS);
      }
      ASSERT_EQ(HCL_Halo_wait(halo), MPI_SUCCESS);
      for (HCL_Field field : fields)
        EXPECT_EQ(wrong_points(field, mesh_of_test, box, low, high, faces), 0) << order << faces;
      ASSERT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
      EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
      // Nothing is needed any more by the halo but what it keeps itself.
      for (HCL_Field& field : fields) {
        EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
        EXPECT_EQ(field, HCL_FIELD_NULL);
      }
      EXPECT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
      EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
      EXPECT_EQ(halo, HCL_HALO_NULL);
    }
}

TEST(HaloInC, directions_can_be_listed) {
  const mpi::Comm cart = mesh_comm(mesh_of_test);
  const OwnBox box = box_of(cart.get(), mpi::rank(cart.get()));
  const Sizes ones(3, 1);
  HCL_Field field = HCL_FIELD_NULL;
  ASSERT_EQ(HCL_Field_create(cart.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field),
            MPI_SUCCESS);
  const std::array<int, 6> directions{0, 0, 1, 1, 0, -1};
  HCL_Halo halo = HCL_HALO_NULL;
  ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 2, directions.data(), MPI_INFO_NULL, &halo), MPI_SUCCESS);
  fill(field, mesh_of_test, box, ones, ones);
  ASSERT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
  int wrong = 0;
  for_each_point(field, ones, ones, [&](double& value, const auto& point) {
    std::array<int, 3> side{};
    for (std::size_t d = 0; d < 3; ++d) side[d] = point[d] < 0 ? -1 : point[d] >= box.extents[d] ? 1 : 0;
    const bool filled =
        side == std::array{0, 0, 0} || side == std::array{0, 0, 1} || side == std::array{1, 0, -1};
    if (value != (filled ? number(mesh_of_test, box, point) : untouched)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST(HaloInC, boxes_make_up_the_mesh_and_owners_are_in_them) {
  const Sizes widths{2, 1, 1};
  const mpi::Comm cart = mesh_comm({40, 33, 19}, HCL_STENCIL_NEAREST, widths.data());
  mpi::Comm duplicate;
  MPI_Comm_dup(cart.get(), duplicate.put());
  Sizes mesh(3), halo(3);
  ASSERT_EQ(HCL_Cart_mesh_get(duplicate.get(), 3, mesh.data(), halo.data()), MPI_SUCCESS);
  EXPECT_EQ(mesh, (Sizes{40, 33, 19}));
  EXPECT_EQ(halo, widths);
  int64_t points = 0;
  for (int rank = 0; rank < world_size(); ++rank) {
    const OwnBox box = box_of(duplicate.get(), rank);
    points += box.extents[0] * box.extents[1] * box.extents[2];
    for (const bool last : {false, true}) {
      Sizes point = box.first;
      for (std::size_t d = 0; last && d < 3; ++d) point[d] += box.extents[d] - 1;
      int owner = -1;
      ASSERT_EQ(HCL_Cart_owner(cart.get(), point.data(), &owner), MPI_SUCCESS);
      EXPECT_EQ(owner, rank);
      point[0] -= 3 * mesh[0];  // around the periodic dimension
      ASSERT_EQ(HCL_Cart_owner(cart.get(), point.data(), &owner), MPI_SUCCESS);
      EXPECT_EQ(owner, rank);
      point[1] = mesh[1];  // beyond the open one
      ASSERT_EQ(HCL_Cart_owner(cart.get(), point.data(), &owner), MPI_SUCCESS);
      EXPECT_EQ(owner, MPI_PROC_NULL);
    }
  }
  EXPECT_EQ(points, 40 * 33 * 19);
}

TEST(HaloInC, a_cart_in_cpp_tells_its_communicator_the_mesh) {
  const Cart cart(MPI_COMM_WORLD, Mesh({4 * world_size(), 3}, periodic(1, 0)), Stencil::nearest(2));
  Sizes mesh(2);
  ASSERT_EQ(HCL_Cart_mesh_get(cart.comm(), 2, mesh.data(), nullptr), MPI_SUCCESS);
  EXPECT_EQ(mesh, (Sizes{4 * world_size(), 3}));
}

TEST(HaloInC, plain_communicators_take_the_mesh_of_their_fields) {
  const mpi::Comm cart = plain_sheet();
  std::array<int, 2> coordinates{};
  MPI_Cart_coords(cart.get(), mpi::rank(cart.get()), 2, coordinates.data());
  const Sizes all{4 + coordinates[0] % 3, 5 + coordinates[1]};
  std::vector<int> array(static_cast<std::size_t>(all[0] * all[1]));
  HCL_Field field = HCL_FIELD_NULL;
  HCL_Halo halo = HCL_HALO_NULL;
  ASSERT_EQ(HCL_Field_attach(array.data(), 2, all.data(), nullptr, nullptr, MPI_ORDER_C, MPI_INT, &field),
            MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_ALL, MPI_INFO_NULL, &halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  // A mesh that the communicator is told is another than theirs, unless theirs is asked for.
  const Sizes mesh{64, 48};
  ASSERT_EQ(HCL_Cart_mesh_attach(cart.get(), mesh.data(), nullptr), MPI_SUCCESS);
  MPI_Comm_set_errhandler(cart.get(), MPI_ERRORS_RETURN);
  EXPECT_NE(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_ALL, MPI_INFO_NULL, &halo), MPI_SUCCESS);
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_mesh", "fields");
  ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_ALL, info.get(), &halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

/// The value at the first corner of a program that sets boundary values on its own columns, then exchanges.
double corner_at_open_border(MPI_Comm cart, const char* borders) {
  constexpr std::int64_t columns = 41, rows = 5;
  const Sizes all{columns + 2, rows + 2};
  std::vector<double> u(static_cast<std::size_t>(all[0] * all[1]), 0);
  const auto at = [&](std::int64_t x, std::int64_t y) -> double& {
    return u[static_cast<std::size_t>(x * all[1] + y)];
  };
  for (std::int64_t x = 1; x <= columns; ++x)
    at(x, 0) = static_cast<double>(-100 - mpi::rank(cart) * columns - x);
  mpi::Info info;
  MPI_Info_create(info.put());
  if (borders != nullptr) MPI_Info_set(info.get(), "halocline_borders", borders);
  HCL_Field field = HCL_FIELD_NULL;
  HCL_Halo halo = HCL_HALO_NULL;
  EXPECT_EQ(HCL_Field_attach(u.data(), 2, all.data(), nullptr, nullptr, MPI_ORDER_C, MPI_DOUBLE, &field),
            MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_create(cart, 1, &field, 0, HCL_DIRECTIONS_ALL, info.get(), &halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
  const double corner = at(0, 0);
  EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
  return corner;
}

TEST(HaloInC, boundary_values_travel_along_the_border_if_asked_to) {
  const std::array<int, 2> dims{world_size(), 1}, periods{0, 0};
  mpi::Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, cart.put());
  const int before = mpi::rank(cart.get());  // so many processes, of 41 columns each
  EXPECT_EQ(corner_at_open_border(cart.get(), "carry"), before == 0 ? 0 : -100 - 41 * before);
  EXPECT_EQ(corner_at_open_border(cart.get(), "keep"), 0);
  EXPECT_EQ(corner_at_open_border(cart.get(), nullptr), 0);
}

TEST(HaloInC, structures_with_gaps_and_negative_strides) {
  struct Particle {
    double mass;
    char tag;
    float velocity[3];
  };
  const mpi::Comm cart = plain_sheet();
  const Sizes mesh{40, 36};
  ASSERT_EQ(HCL_Cart_mesh_attach(cart.get(), mesh.data(), nullptr), MPI_SUCCESS);
  Sizes own(2);
  ASSERT_EQ(HCL_Cart_box(cart.get(), mpi::rank(cart.get()), nullptr, own.data()), MPI_SUCCESS);

  mpi::Datatype parts, particle;
  const std::array<int, 2> lengths{1, 2};
  const std::array<MPI_Aint, 2> places{0, offsetof(Particle, velocity)};
  const std::array<MPI_Datatype, 2> types{MPI_DOUBLE, MPI_FLOAT};
  MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), parts.put());
  MPI_Type_create_resized(parts.get(), 0, sizeof(Particle), particle.put());

  const Sizes all{own[0] + 2, own[1] + 2};
  std::vector<Particle> particles(static_cast<std::size_t>(all[0] * all[1]), Particle{1, 't', {2, 3, 4}});
  // From the last row backwards.
  const auto row = static_cast<MPI_Aint>(static_cast<std::size_t>(all[1]) * sizeof(Particle));
  const std::array<MPI_Aint, 2> strides{-row, sizeof(Particle)};
  HCL_Field field = HCL_FIELD_NULL;
  ASSERT_EQ(HCL_Field_attach_strided(&particles[static_cast<std::size_t>((all[0] - 1) * all[1])], 2,
                                     all.data(), nullptr, nullptr, strides.data(), particle.get(), &field),
            MPI_SUCCESS);
  HCL_Halo halo = HCL_HALO_NULL;
  ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo),
            MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  const auto mark = static_cast<float>(world_rank());
  for (Particle& each : particles) each.velocity[0] = mark, each.velocity[2] = mark;
  EXPECT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
  for (const Particle& each : particles) {
    EXPECT_EQ(each.tag, 't');
    EXPECT_EQ(each.velocity[2], mark) << "is not part of the datatype";
  }
  int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
  MPI_Cart_shift(cart.get(), 0, 1, &left, &right);
  // Plain MPI numbers its processes as the world does.
  EXPECT_EQ(particles[static_cast<std::size_t>((all[0] - 1) * all[1] + 1)].velocity[0],
            static_cast<float>(left));
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST(HaloInC, traffic_is_counted) {
  const mpi::Comm cart = mesh_comm(mesh_of_test, HCL_STENCIL_NEAREST);
  HCL_Field field = HCL_FIELD_NULL;
  HCL_Halo halo = HCL_HALO_NULL;
  ASSERT_EQ(HCL_Field_create(cart.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field),
            MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo),
            MPI_SUCCESS);
  constexpr int times = 3;
  for (int i = 0; i < times; ++i) ASSERT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
  HCL_Statistics statistics;
  ASSERT_EQ(HCL_Halo_statistics(halo, &statistics), MPI_SUCCESS);
  EXPECT_EQ(statistics.exchanges, times);
  const OwnBox box = box_of(cart.get(), mpi::rank(cart.get()));
  std::array<int, 3> dims{}, periods{}, coordinates{};
  MPI_Cart_get(cart.get(), 3, dims.data(), periods.data(), coordinates.data());
  const int neighbours = (coordinates[1] > 0 ? 1 : 0) + (coordinates[1] + 1 < dims[1] ? 1 : 0);
  const int64_t expected = 8 * times *
                           (2 * box.extents[1] * box.extents[2] + 2 * box.extents[0] * box.extents[1] +
                            neighbours * box.extents[0] * box.extents[2]);
  EXPECT_EQ(statistics.self_bytes + statistics.node_bytes + statistics.network_bytes, expected);
  EXPECT_EQ(statistics.timed, 0);

  int length = 0;
  ASSERT_EQ(HCL_Halo_report(halo, 0, nullptr, &length), MPI_SUCCESS);
  ASSERT_GT(length, 10);
  std::string whole(static_cast<std::size_t>(length) + 1, '#'), part(8, '#');
  ASSERT_EQ(HCL_Halo_report(halo, length + 1, whole.data(), &length), MPI_SUCCESS);
  EXPECT_EQ(whole.back(), '\0');
  EXPECT_EQ(whole.find('\0'), static_cast<std::size_t>(length));
  ASSERT_EQ(HCL_Halo_report(halo, 8, part.data(), nullptr), MPI_SUCCESS);
  EXPECT_EQ(part, whole.substr(0, 7) + '\0');
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST(HaloInC, leaves_nothing_behind) {
  expect_no_lost_communicators(MPI_COMM_WORLD, [] {
    const mpi::Comm cart = mesh_comm(mesh_of_test);
    HCL_Field field = HCL_FIELD_NULL;
    HCL_Halo halo = HCL_HALO_NULL;
    ASSERT_EQ(HCL_Field_create(cart.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field),
              MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo),
              MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);
    EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
    EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
  });
}

TEST(CartMeshInC, the_order_decides_between_equal_grids) {
  if (world_size() != 2 && world_size() != 4) return;
  const Sizes mesh(3, 48);
  const std::array<int, 3> periods{1, 1, 1};
  mpi::Info info;
  MPI_Info_create(info.put());
  std::array<std::array<int, 3>, 2> dims{};
  for (const bool fortran : {false, true}) {
    MPI_Info_set(info.get(), "halocline_order", fortran ? "fortran" : "c");
    mpi::Comm cart;
    ASSERT_EQ(HCL_Cart_mesh_create(MPI_COMM_WORLD, 3, mesh.data(), nullptr, periods.data(), 1, 0,
                                   HCL_STENCIL_NEAREST, nullptr, info.get(), dims[fortran ? 1 : 0].data(),
                                   cart.put()),
              MPI_SUCCESS);
  }
  EXPECT_EQ(dims[0][2], 1) << "the points of the last dimension stay together";
  EXPECT_EQ(dims[1][0], 1) << "the points of the first dimension stay together";
}

}  // namespace
}  // namespace halocline::api_halo_tests
