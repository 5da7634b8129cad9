// Placed communicators from C: they say what those of C++ say, and refuse alike on all ranks.

#include "halocline/mpi/cart.hpp"
#include "halocline/halocline.h"
#include "halocline/mpix.h"
#include "mpi/handles/comm.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

namespace halocline::api_cart_tests {
namespace {

class CartInC : public testing::Test {
 protected:
  mpi::Comm world_ = shuffled_world(5);
  int dims_[2] = {world_size(), 1};
  int periods_[2] = {1, 0};

  static int error_class(int code) {
    int its_class = MPI_SUCCESS;
    MPI_Error_class(code, &its_class);
    return its_class;
  }
};

TEST_F(CartInC, says_the_same_as_cpp) {
  const int stencil[] = {1, 0, -1, 0, 2, 0};
  mpi::Comm cart;
  ASSERT_EQ(MPIX_Cart_stencil_comm(world_.get(), 2, dims_, periods_, 1, stencil, 3, cart.put()), MPI_SUCCESS);
  mpi::Comm alias;
  ASSERT_EQ(MPIX_Cart_comm_stencil(world_.get(), 2, dims_, periods_, 1, stencil, 3, alias.put()),
            MPI_SUCCESS);
  EXPECT_EQ(mpi::rank(cart.get()), mpi::rank(alias.get()));
  int total = -1;
  int largest = -1;
  ASSERT_EQ(MPIX_Internode_cost_stencil(cart.get(), &total, &largest, stencil, 3), MPI_SUCCESS);
  const InternodeCost cost = internode_cost(cart.get(), Stencil({{1, 0}, {-1, 0}, {2, 0}}));
  EXPECT_EQ(total, cost.total);
  EXPECT_EQ(largest, cost.largest);
  ASSERT_EQ(MPIX_Internode_cost(cart.get(), &total, &largest), MPI_SUCCESS);
  EXPECT_EQ(total, internode_cost(cart.get(), Stencil::nearest(2)).total);

  const int64_t weights[] = {8, 8, 2};
  mpi::Comm weighted;
  ASSERT_EQ(HCL_Cart_create(world_.get(), 2, dims_, periods_, 1, 3, stencil, weights, MPI_INFO_NULL,
                            weighted.put()),
            MPI_SUCCESS);
  int64_t bytes = -1;
  ASSERT_EQ(HCL_Internode_cost(weighted.get(), 3, stencil, weights, &bytes, nullptr), MPI_SUCCESS);
  EXPECT_EQ(bytes, internode_cost(weighted.get(), Stencil({{1, 0}, {-1, 0}, {2, 0}}, {8, 8, 2})).total);
}

TEST_F(CartInC, chooses_the_grid_of_a_mesh) {
  const int64_t mesh[] = {1800, 580};
  int dims[] = {0, 0};
  mpi::Comm cart;
  ASSERT_EQ(HCL_Cart_mesh_create(world_.get(), 2, mesh, nullptr, periods_, 1, 0, HCL_STENCIL_NEAREST, nullptr,
                                 MPI_INFO_NULL, dims, cart.put()),
            MPI_SUCCESS);
  EXPECT_EQ(dims[0] * dims[1], world_size());
  int fixed[] = {0, 1};
  mpi::Comm line;
  ASSERT_EQ(HCL_Cart_mesh_create(world_.get(), 2, mesh, nullptr, periods_, 1, 0, HCL_STENCIL_NEAREST, nullptr,
                                 MPI_INFO_NULL, fixed, line.put()),
            MPI_SUCCESS);
  EXPECT_EQ(fixed[0], world_size());
}

TEST_F(CartInC, processes_left_over_get_the_null_communicator) {
  if (world_size() < 2) return;
  const int dims[] = {world_size() - 1, 1};
  mpi::Comm cart;
  ASSERT_EQ(HCL_Cart_create(world_.get(), 2, dims, periods_, 0, 0, HCL_STENCIL_NEAREST, nullptr,
                            MPI_INFO_NULL, cart.put()),
            MPI_SUCCESS);
  EXPECT_EQ(static_cast<bool>(cart), mpi::rank(world_.get()) < world_size() - 1);
}

/// Once a communicator is known there is one agreement, whoever refuses.
TEST_F(CartInC, what_one_rank_refuses_all_refuse_first_and_later) {
  for (int turn = 0; turn < 3; ++turn) {
    mpi::Comm cart;
    if (turn > 0) {
      ASSERT_EQ(HCL_Cart_create(world_.get(), 2, dims_, periods_, 1, 0, HCL_STENCIL_NEAREST, nullptr,
                                MPI_INFO_NULL, cart.put()),
                MPI_SUCCESS);
    }
    const bool wrong = world_rank() == world_size() - 1;
    MPI_Comm none = MPI_COMM_NULL;
    EXPECT_EQ(error_class(HCL_Cart_create(world_.get(), wrong ? 0 : 2, dims_, periods_, 1, 0,
                                          HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, &none)),
              MPI_ERR_DIMS);
    const int64_t mesh[] = {1000, 1000};
    int free_dims[] = {0, 0};
    EXPECT_EQ(
        error_class(HCL_Cart_mesh_create(world_.get(), 2, wrong ? nullptr : mesh, nullptr, periods_, 1, 0,
                                         HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, free_dims, &none)),
        MPI_ERR_ARG);
    if (world_size() > 1) {
      EXPECT_EQ(error_class(HCL_Cart_create(world_.get(), 2, dims_, periods_, wrong ? 0 : 1, 0,
                                            HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, &none)),
                MPI_ERR_ARG);
    }
    EXPECT_EQ(none, MPI_COMM_NULL);
  }
}

TEST_F(CartInC, errors_have_mpi_classes) {
  const int stencil[] = {1, 0};
  const int too_many[] = {world_size() + 1, 1};
  const int zero[] = {0, 4};
  MPI_Comm cart = MPI_COMM_NULL;
  const auto create = [&](int ndims, const int* dims, const int* offsets, int k) {
    return error_class(MPIX_Cart_stencil_comm(world_.get(), ndims, dims, periods_, 1, offsets, k, &cart));
  };
  EXPECT_EQ(create(2, dims_, stencil, 0), MPI_ERR_ARG);
  EXPECT_EQ(create(2, dims_, nullptr, 1), MPI_ERR_ARG);
  EXPECT_EQ(create(0, dims_, stencil, 1), MPI_ERR_DIMS);
  EXPECT_EQ(create(2, too_many, stencil, 1), MPI_ERR_DIMS);
  EXPECT_EQ(create(2, zero, stencil, 1), MPI_ERR_DIMS);
  EXPECT_EQ(create(2, nullptr, stencil, 1), MPI_ERR_ARG);
  const int64_t negative[] = {-1};
  EXPECT_EQ(error_class(HCL_Cart_create(world_.get(), 2, dims_, periods_, 1, 1, stencil, negative,
                                        MPI_INFO_NULL, &cart)),
            MPI_ERR_ARG);
  EXPECT_EQ(error_class(HCL_Internode_cost(world_.get(), 1, stencil, nullptr, nullptr, nullptr)),
            MPI_ERR_TOPOLOGY);
  EXPECT_EQ(cart, MPI_COMM_NULL);
}

}  // namespace
}  // namespace halocline::api_cart_tests
