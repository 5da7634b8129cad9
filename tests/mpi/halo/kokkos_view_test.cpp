// Kokkos views, or what stands in for them here: halos of them, and what is refused.

#include "expect_error.hpp"
#include "halo/points.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/kokkos.hpp"
#include "support/world.hpp"

namespace halocline::halo_kokkos_view_tests {
namespace {

template <class View>
concept Taken = requires(const View& array) {
  view(array, HaloWidths({1}));
};
static_assert(Taken<Kokkos::View<double*>> && Taken<Kokkos::View<float** [3], Kokkos::LayoutLeft>> &&
              Taken<Kokkos::View<int***, Kokkos::LayoutStride>>);
static_assert(!Taken<Kokkos::View<const double*>> && !Taken<Kokkos::View<double**, Kokkos::LayoutTiled>>);

/// What each component of each point of the mesh has.
double value_of(const Mesh& mesh, const Box& box, const Cell& point, std::size_t component) {
  const auto there = mesh.neighbor(box.first, point);
  return there ? static_cast<double>(mesh.index(*there) * 8) + static_cast<double>(component) : -1;
}

/// A view with `components` values a point, as the last dimension.
template <class Array>
void expect_exchanged(const Cart& cart, const Array& array, const HaloWidths& halo, std::size_t components,
                      Halo& exchanged) {
  const Box& box = cart.decomposition()->box(cart.cell());
  const Mesh& mesh = cart.decomposition()->mesh();
  const auto at = [&](const Cell& point, std::size_t c) -> double& {
    return array(point[0] + halo.low[0], point[1] + halo.low[1], c);
  };
  for_each_point(box.extents, halo, [&](const Cell& point) {
    for (std::size_t c = 0; c < components; ++c)
      at(point, c) = side_of(point, box.extents) == Offset{0, 0} ? value_of(mesh, box, point, c) : -1;
  });
  exchanged.exchange();
  Count wrong = 0;
  for_each_point(box.extents, halo, [&](const Cell& point) {
    for (std::size_t c = 0; c < components; ++c)
      if (at(point, c) != value_of(mesh, box, point, c)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

template <class Layout>
void expect_right() {
  const Count p = world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * p, 2 * p + 1}, periodic(1, 0)), Stencil::moore(2, 1));
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  const HaloWidths halo({1, 2}, {2, 1});
  const auto rows = static_cast<std::size_t>(own[0] + 3), columns = static_cast<std::size_t>(own[1] + 3);
  std::vector<double> memory(rows * (columns + 1) * 4 + 64);
  const Kokkos::View<double** [3], Layout> array(memory.data(), {rows, columns, 0});
  ASSERT_LE(array.span(), memory.size());
  Halo exchanged(cart, HaloOptions{.directions = Stencil::moore(2, 1)}, view(array, halo));
  expect_exchanged(cart, array, halo, 3, exchanged);
  exchanged.verify();
}

TEST(KokkosViews, are_exchanged_with_their_components) {
  expect_right<Kokkos::LayoutRight>();
  expect_right<Kokkos::LayoutLeft>();
}

TEST(KokkosViews, of_other_devices_are_refused) {
  std::vector<double> memory(64);
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HIPSpace> far(memory.data(), {6, 6});
  expect_error(
      Fault::unsupported,
      [&] {
        (void)view(far, HaloWidths({1, 1}));
      },
      "HIP");
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace> near(memory.data(), {6, 6});
  EXPECT_EQ(view(near, HaloWidths({1, 1})).extents(), Counts({4, 4})) << "its address tells the rest";
}

struct Cell2 {
  float mass;
  double velocity[2];
};

TEST(KokkosViews, of_structures_give_members) {
  std::vector<Cell2> memory(64);
  const Kokkos::View<Cell2**> array(memory.data(), {6, 6});
  const FieldView velocities = view(array, HaloWidths({1, 1}), &Cell2::velocity);
  EXPECT_EQ(velocities.element().size(), 16);
  EXPECT_EQ(velocities.strides(), Counts({6 * 24, 24}));
}

}  // namespace
}  // namespace halocline::halo_kokkos_view_tests
