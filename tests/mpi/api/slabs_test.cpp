// Meshes that a C program cuts itself, in slabs of any sizes: who owns what, halos, and what is refused.

#include "halocline/describe/decomposition.hpp"
#include "mpi/handles/handle.hpp"
#include "support/refusals.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace halocline::api_slabs_tests {
namespace {

using Sizes = std::vector<int64_t>;

class Slabs : public Refusals {
 protected:
  /// In one list, as C has them.
  static Sizes flat(const std::vector<Counts>& slabs) {
    Sizes list;
    for (const Counts& each : slabs) list.insert(list.end(), each.begin(), each.end());
    return list;
  }
  int create(const std::vector<int>& dims, const int64_t* slabs, mpi::Comm& cart, int reorder = 1) {
    return HCL_Cart_slabs_create(MPI_COMM_WORLD, static_cast<int>(dims.size()), dims.data(), slabs, nullptr,
                                 periods_.data(), reorder, 0, HCL_STENCIL_MOORE, nullptr, MPI_INFO_NULL,
                                 cart.put());
  }
  const std::array<int, 3> periods_{1, 0, 1};
};

TEST_F(Slabs, belong_to_the_processes_that_they_were_cut_for) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<int> dims(3);
    MPI_Dims_create(world_size(), 3, dims.data());
    std::shuffle(dims.begin(), dims.end(), random);
    std::vector<Counts> slabs;
    Counts extents;
    for (const int processes : dims) {
      extents.push_back(processes);
      slabs.emplace_back();
      for (int i = 0; i < processes; ++i) slabs.back().push_back(1 + static_cast<Count>(random() % 7));
    }
    const Decomposition cut(Grid(extents, periodic(1, 0, 1)), slabs);
    mpi::Comm cart;
    ASSERT_EQ(create(dims, flat(slabs).data(), cart, trial % 2), MPI_SUCCESS);
    Counts mesh(3), first(3), own(3);
    ASSERT_EQ(HCL_Cart_mesh_get(cart.get(), 3, mesh.data(), nullptr), MPI_SUCCESS);
    EXPECT_EQ(mesh, cut.mesh().extents());
    for (int rank = 0; rank < world_size(); ++rank) {
      ASSERT_EQ(HCL_Cart_box(cart.get(), rank, first.data(), own.data()), MPI_SUCCESS);
      EXPECT_EQ((Box{first, own}), cut.box(cut.grid().cell(rank)));
      int owner = -1;
      ASSERT_EQ(HCL_Cart_owner(cart.get(), first.data(), &owner), MPI_SUCCESS);
      EXPECT_EQ(owner, rank);
    }
    HCL_Field field = HCL_FIELD_NULL;
    ASSERT_EQ(HCL_Field_create(cart.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field),
              MPI_SUCCESS);
    HCL_Halo halo = HCL_HALO_NULL;
    ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_ALL, MPI_INFO_NULL, &halo),
              MPI_SUCCESS);
    EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
    EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
    EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
  }
}

TEST_F(Slabs, are_refused_alike_on_all_ranks) {
  const int ranks = world_size();
  const bool last = last_rank();
  const Sizes even(static_cast<std::size_t>(2 * ranks) + 4, 3);
  Sizes hole = even;
  if (last) hole[static_cast<std::size_t>(ranks) - 1] = 0;
  mpi::Comm cart;
  expect_refused(create({ranks}, hole.data(), cart), MPI_ERR_DIMS, "0");
  expect_refused(create({ranks + 1}, even.data(), cart), MPI_ERR_DIMS, "processes");
  expect_refused(create({last ? 0 : ranks}, even.data(), cart), MPI_ERR_DIMS, "0");
  expect_refused(create({ranks}, last ? nullptr : even.data(), cart), MPI_ERR_ARG, "slabs");
  const auto told = [&](const int* dims, const int* periods, MPI_Comm* made) {
    return HCL_Cart_slabs_create(MPI_COMM_WORLD, 1, dims, even.data(), nullptr, periods, 1, 0,
                                 HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, made);
  };
  MPI_Comm made = MPI_COMM_NULL;
  expect_refused(told(last ? nullptr : &ranks, periods_.data(), &made), MPI_ERR_ARG, "dims");
  expect_refused(told(&ranks, last ? nullptr : periods_.data(), &made), MPI_ERR_ARG, "periods");
  expect_refused(told(&ranks, periods_.data(), last ? nullptr : &made), MPI_ERR_ARG, "comm_cart");
  if (ranks > 1) {
    Sizes other = even;
    if (last) other[0] = 5;
    expect_refused(create({ranks}, other.data(), cart), MPI_ERR_ARG, "the mesh");
    other = even;  // the same mesh, cut otherwise
    if (last) {
      other[0] = 4;
      other[1] = 2;
    }
    expect_refused(create({ranks}, other.data(), cart), MPI_ERR_ARG, "the mesh");
  }
  EXPECT_FALSE(cart);
  EXPECT_EQ(made, MPI_COMM_NULL);
}

}  // namespace
}  // namespace halocline::api_slabs_tests
