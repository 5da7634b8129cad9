// Meshes that the program cuts itself, in slabs of any sizes: Carts, their fields and halos.

#include "expect_error.hpp"
#include "halo/random_fields.hpp"
#include "halocline/halo/halo.hpp"
#include "support/world.hpp"

namespace halocline::cut_tests {
namespace {

Decomposition random_cut(Random& random) {
  std::array<int, 3> dims{};
  MPI_Dims_create(world_size(), 3, dims.data());
  std::shuffle(dims.begin(), dims.end(), random);
  Periodicity periodicity;
  std::vector<Counts> slabs;
  for (const int processes : dims) {
    periodicity.push_back(random_in(random, 0, 1) == 1);
    slabs.emplace_back();
    for (int i = 0; i < processes; ++i) slabs.back().push_back(random_in(random, 2, 9));
  }
  return Decomposition(Grid({dims[0], dims[1], dims[2]}, periodicity), slabs);
}

TEST(Cut, carts_have_fields_of_the_slabs_that_were_given) {
  Random random(4);
  for (int trial = 0; trial < 12; ++trial) {
    const Decomposition cut = random_cut(random);
    const Count width = random_in(random, 1, 2);
    const CartOptions options{.reorder = random_in(random, 0, 3) > 0, .halo = {width, width, width}};
    const mpi::Comm world = shuffled_world(static_cast<unsigned>(trial));
    const Cart cart(world.get(), cut, Stencil::moore(3, 1), options);
    ASSERT_NE(cart.decomposition(), nullptr);
    EXPECT_EQ(*cart.decomposition(), cut);
    EXPECT_EQ(cart.grid(), cut.grid());
    Field<double, 3> u(cart);
    Field<float, 3> v(cart);
    EXPECT_EQ(u.storage().view().extents(), cut.box(cart.cell()).extents);
    Halo halo(cart, u, v);
    EXPECT_NO_THROW(halo.verify()) << "trial " << trial;
  }
}

TEST(Cut, is_refused_alike_on_all_ranks) {
  const Count ranks = world_size();
  const auto cut_of = [&](Count first) {
    Counts slabs(static_cast<std::size_t>(ranks), 4);
    slabs.front() = first;
    return Decomposition(Grid({ranks}), {slabs});
  };
  const Stencil stencil = Stencil::nearest(1);
  expect_error(
      Fault::invalid_argument, [&] { Cart(MPI_COMM_WORLD, cut_of(4), stencil, {.fixed = {ranks}}); },
      "fixed is an option");
  expect_error(
      Fault::invalid_dimensions,
      [&] { Cart(MPI_COMM_WORLD, Decomposition(Mesh({64}), Grid({ranks + 1})), stencil); },
      std::to_string(ranks + 1));
  if (ranks > 1)
    expect_error(
        Fault::invalid_argument, [&] { Cart(MPI_COMM_WORLD, cut_of(world_rank() == 0 ? 4 : 5), stencil); },
        "the mesh");
}

}  // namespace
}  // namespace halocline::cut_tests
