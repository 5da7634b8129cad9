// What refusals of the C interface of halos are tried on: communicators with and without a mesh, a field.
#pragma once

#include "halocline/halocline.h"
#include "mpi/handles/handle.hpp"
#include "support/refusals.hpp"

#include <array>
#include <vector>

namespace halocline {

using Sizes = std::vector<int64_t>;

class HaloRefusals : public Refusals {
 protected:
  HaloRefusals() {
    const std::array<int, 2> periods{1, 0};
    std::array<int, 2> dims{world_size(), 1};
    EXPECT_EQ(HCL_Cart_mesh_create(MPI_COMM_WORLD, 2, mesh_.data(), nullptr, periods.data(), 0, 0,
                                   HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, dims.data(), cart_.put()),
              MPI_SUCCESS);
    MPI_Comm_dup(cart_.get(), short_lived_.put());
    // A plain one of the same grid.
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, plain_.put());
    for (const auto* comm : {&cart_, &plain_}) MPI_Comm_set_errhandler(comm->get(), counting_.get());
    field_ = attached(Sizes{6, 9});
  }
  ~HaloRefusals() override {
    if (field_ != HCL_FIELD_NULL) HCL_Field_free(&field_);
  }

  HCL_Field attached(const Sizes& extents, const Sizes& widths = {1, 1}, MPI_Datatype element = MPI_INT) {
    HCL_Field field = HCL_FIELD_NULL;
    EXPECT_EQ(HCL_Field_attach(values_.data(), 2, extents.data(), widths.data(), nullptr, MPI_ORDER_C,
                               element, &field),
              MPI_SUCCESS);
    return field;
  }
  int halo_of(HCL_Field field, const int* directions = HCL_DIRECTIONS_DEFAULT, int ndirections = 0,
              MPI_Info info = MPI_INFO_NULL) {
    return HCL_Halo_create(cart_.get(), 1, &field, ndirections, directions, info, &halo_);
  }

  /// What was refused has left nothing half done.
  void TearDown() override {
    EXPECT_EQ(halo_, HCL_HALO_NULL);
    ASSERT_EQ(halo_of(field_), MPI_SUCCESS);
    EXPECT_EQ(HCL_Halo_verify(halo_), MPI_SUCCESS);
    EXPECT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
    EXPECT_EQ(times_called, 0);
  }

  Sizes mesh_{int64_t{4} * world_size(), 7};
  mpi::Comm cart_, short_lived_, plain_;
  std::vector<int> values_ = std::vector<int>(400);
  HCL_Field field_ = HCL_FIELD_NULL;
  HCL_Halo halo_ = HCL_HALO_NULL;
};

}  // namespace halocline
