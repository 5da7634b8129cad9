// What the C interface of boxes and their halos refuses, the same on every rank; and sums.

#include "mpi/handles/handle.hpp"
#include "support/refusals.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace halocline::api_box_refusals_tests {
namespace {

using Sizes = std::vector<int64_t>;

/// Every process owns two rows of a mesh, in boxes of one row each.
class BoxRefusals : public Refusals {
 protected:
  BoxRefusals() {
    EXPECT_EQ(gather(first_, extents_), MPI_SUCCESS);
    for (HCL_Field& field : fields_) field = attached({3, 6});
  }
  ~BoxRefusals() override {
    for (HCL_Field& field : fields_) HCL_Field_free(&field);
    if (boxes_ != HCL_BOXES_NULL) HCL_Boxes_free(&boxes_);
  }
  HCL_Field attached(const Sizes& extents, const Sizes& widths = {1, 1}) {
    HCL_Field field = HCL_FIELD_NULL;
    values_.emplace_back(64);
    EXPECT_EQ(HCL_Field_attach(values_.back().data(), 2, extents.data(), widths.data(), nullptr, MPI_ORDER_C,
                               MPI_INT, &field),
              MPI_SUCCESS);
    return field;
  }
  int gather(const Sizes& first, const Sizes& extents, int count = 2) {
    return HCL_Boxes_gather(MPI_COMM_WORLD, 2, mesh_.data(), periods_.data(), count, first.data(),
                            extents.data(), &boxes_);
  }
  int create(int nfields, int nboxes, const HCL_Field* fields, MPI_Info info = MPI_INFO_NULL) {
    return HCL_Box_halo_create(MPI_COMM_WORLD, boxes_, nfields, nboxes, fields, 0, HCL_DIRECTIONS_ALL, info,
                               &halo_);
  }
  /// What was refused has left nothing half done.
  void TearDown() override {
    EXPECT_EQ(halo_, HCL_BOX_HALO_NULL);
    ASSERT_EQ(create(1, 2, fields_.data()), MPI_SUCCESS);
    EXPECT_EQ(HCL_Box_halo_verify(halo_), MPI_SUCCESS);
    EXPECT_EQ(HCL_Box_halo_free(&halo_), MPI_SUCCESS);
    EXPECT_EQ(times_called, 0);
  }

  const int64_t row_ = int64_t{2} * world_rank();
  const Sizes mesh_{int64_t{2} * world_size(), 4}, first_{row_, 0, row_ + 1, 0}, extents_{1, 4, 1, 4};
  const std::array<int, 2> periods_{1, 0};
  std::vector<std::vector<int>> values_;
  std::array<HCL_Field, 2> fields_{};
  HCL_Boxes boxes_ = HCL_BOXES_NULL;
  HCL_Box_halo halo_ = HCL_BOX_HALO_NULL;
};

TEST_F(BoxRefusals, boxes_that_cannot_be) {
  const HCL_Boxes before = boxes_;
  const auto wrong = [&](const Sizes& if_last, const Sizes& otherwise) {
    return last_rank() ? if_last : otherwise;
  };
  expect_refused(gather(wrong({row_, 0, row_, 0}, first_), extents_), MPI_ERR_DIMS, "points in common");
  expect_refused(gather(first_, wrong({1, 4, 2, 4}, extents_)), MPI_ERR_DIMS, "reaches beyond the mesh");
  expect_refused(gather(first_, wrong({1, 4, 1, 0}, extents_)), MPI_ERR_DIMS, "has no points");
  expect_refused(gather(first_, extents_, last_rank() ? -2 : 2), MPI_ERR_ARG, "-2 boxes");
  const auto with = [&](int ndims, const int64_t* mesh, const int* periods, const int64_t* first,
                        HCL_Boxes* boxes) {
    return HCL_Boxes_gather(MPI_COMM_WORLD, ndims, mesh, periods, 2, first, extents_.data(), boxes);
  };
  const auto* const periods = periods_.data();
  const bool last = last_rank();
  expect_refused(with(2, last ? nullptr : mesh_.data(), periods, first_.data(), &boxes_), MPI_ERR_ARG,
                 "mesh");
  expect_refused(with(2, mesh_.data(), last ? nullptr : periods, first_.data(), &boxes_), MPI_ERR_ARG,
                 "periods");
  expect_refused(with(2, mesh_.data(), periods, last ? nullptr : first_.data(), &boxes_), MPI_ERR_ARG,
                 "first");
  expect_refused(with(2, mesh_.data(), periods, first_.data(), last ? nullptr : &boxes_), MPI_ERR_ARG,
                 "boxes");
  expect_refused(with(last ? 0 : 2, mesh_.data(), periods, first_.data(), &boxes_), MPI_ERR_DIMS,
                 "0 dimensions");
  if (world_size() > 1) {
    const Sizes other{mesh_[0], last ? 5 : 4};
    expect_refused(with(2, other.data(), periods, first_.data(), &boxes_), MPI_ERR_ARG, "the mesh");
  }
  EXPECT_EQ(boxes_, before);
}

TEST_F(BoxRefusals, handles_that_are_null_or_freed) {
  HCL_Boxes none = HCL_BOXES_NULL;
  int number = 0;
  expect_refused(HCL_Boxes_size(none, &number), MPI_ERR_ARG, "HCL_BOXES_NULL");
  expect_refused(HCL_Boxes_size(boxes_, nullptr), MPI_ERR_ARG, "nboxes");
  expect_refused(HCL_Boxes_get(none, 0, 0, nullptr, nullptr, nullptr), MPI_ERR_ARG, "HCL_BOXES_NULL");
  Sizes two(2);
  expect_refused(HCL_Boxes_get(boxes_, 2 * world_size(), 2, &number, nullptr, nullptr), MPI_ERR_ARG, "box");
  expect_refused(HCL_Boxes_get(boxes_, -1, 2, &number, nullptr, nullptr), MPI_ERR_ARG, "box -1");
  expect_refused(HCL_Boxes_get(boxes_, 0, 1, &number, two.data(), nullptr), MPI_ERR_ARG, "2 dimensions");
  expect_refused(HCL_Boxes_free(&none), MPI_ERR_ARG, "HCL_BOXES_NULL");
  expect_refused(HCL_Boxes_free(nullptr), MPI_ERR_ARG, "null pointer");
  ASSERT_EQ(create(1, 2, fields_.data()), MPI_SUCCESS);
  ASSERT_EQ(HCL_Box_halo_free(&halo_), MPI_SUCCESS);
  for (const auto call : {HCL_Box_halo_start, HCL_Box_halo_wait, HCL_Box_halo_exchange, HCL_Box_halo_verify})
    expect_refused(call(halo_), MPI_ERR_REQUEST, "HCL_BOX_HALO_NULL");
  expect_refused(HCL_Box_halo_test(halo_, &number), MPI_ERR_REQUEST, "HCL_BOX_HALO_NULL");
  expect_refused(HCL_Box_halo_free(&halo_), MPI_ERR_REQUEST, "HCL_BOX_HALO_NULL");
  expect_refused(HCL_Box_halo_free(nullptr), MPI_ERR_ARG, "null pointer");
  HCL_Statistics statistics;
  expect_refused(HCL_Box_halo_statistics(halo_, &statistics), MPI_ERR_REQUEST, "HCL_BOX_HALO_NULL");
  HCL_Boxes kept = boxes_;
  if (last_rank()) boxes_ = HCL_BOXES_NULL;
  expect_refused(create(1, 2, fields_.data()), MPI_ERR_ARG, "HCL_BOXES_NULL");
  boxes_ = kept;
}

TEST_F(BoxRefusals, fields_that_do_not_fit) {
  const bool last = last_rank();
  std::array<HCL_Field, 2> wrong = fields_;
  const auto with = [&](HCL_Field field) {
    wrong[1] = last ? field : fields_[1];
    return wrong.data();
  };
  expect_refused(create(1, 2, with(HCL_FIELD_NULL)), MPI_ERR_ARG, "field 0 on own box 1 is HCL_FIELD_NULL");
  expect_refused(create(1, last ? 1 : 2, fields_.data()), MPI_ERR_ARG, "field 0 has 1 views");
  expect_refused(create(1, last ? -1 : 2, fields_.data()), MPI_ERR_ARG, "-1 own boxes");
  expect_refused(create(last ? 0 : 1, 2, fields_.data()), MPI_ERR_ARG, "at least one");
  expect_refused(create(1, 2, last ? nullptr : fields_.data()), MPI_ERR_ARG, "fields");
  HCL_Field other = attached({4, 6});
  expect_refused(create(1, 2, with(other)), MPI_ERR_DIMS, "2x4 own points; the box has 1x4");
  EXPECT_EQ(HCL_Field_free(&other), MPI_SUCCESS);
  other = attached({3, 8}, {1, 2});
  expect_refused(create(1, 2, with(other)), MPI_ERR_DIMS, "field 0 has a halo of 1,2");
  EXPECT_EQ(HCL_Field_free(&other), MPI_SUCCESS);
  other = attached({3, 6});
  const int along = 1;
  EXPECT_EQ(HCL_Field_stagger(other, 1, &along), MPI_SUCCESS);
  expect_refused(create(1, 2, with(other)), MPI_ERR_UNSUPPORTED_OPERATION, "staggered along 1");
  EXPECT_EQ(HCL_Field_free(&other), MPI_SUCCESS);
  for (const auto& [key, value] : {std::pair{"halocline_borders", "carry"},
                                   {"halocline_addresses", "any"},
                                   {"halocline_sides", "y:mirror-face"}}) {
    mpi::Info info;
    MPI_Info_create(info.put());
    if (last) MPI_Info_set(info.get(), key, value);
    expect_refused(create(1, 2, fields_.data(), info.get()), MPI_ERR_UNSUPPORTED_OPERATION, "halo of boxes");
  }
  const std::array<int, 3> direction{1, 0, 2};
  const auto in = [&](int count, const int* directions, HCL_Box_halo* halo) {
    return HCL_Box_halo_create(MPI_COMM_WORLD, boxes_, 1, 2, fields_.data(), count, directions, MPI_INFO_NULL,
                               halo);
  };
  expect_refused(in(last ? 0 : 1, direction.data(), &halo_), MPI_ERR_ARG, "0 directions");
  expect_refused(in(1, direction.data() + (last ? 1 : 0), &halo_), MPI_ERR_ARG, "(0,2)");
  expect_refused(in(1, direction.data(), last ? nullptr : &halo_), MPI_ERR_ARG, "halo");
  if (world_size() > 1) {
    const auto* const faces = last ? HCL_DIRECTIONS_FACES : HCL_DIRECTIONS_ALL;
    expect_refused(in(0, faces, &halo_), MPI_ERR_ARG, "the boxes, the directions");
    const std::array<HCL_Field, 4> two{fields_[0], fields_[1], fields_[0], fields_[1]};
    expect_refused(create(last ? 2 : 1, 2, two.data()), MPI_ERR_ARG, "number of fields");
  }
}

TEST_F(BoxRefusals, sums_back_to_the_owner) {
  ASSERT_EQ(create(1, 2, fields_.data()), MPI_SUCCESS);
  const bool last = last_rank();
  expect_refused(HCL_Box_halo_accumulate(halo_, last ? 4 : HCL_ACCUMULATE_SUM), MPI_ERR_ARG, "op is 4");
  if (last) {
    ASSERT_EQ(HCL_Box_halo_start(halo_), MPI_SUCCESS);
  }
  expect_refused(HCL_Box_halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_REQUEST, "not complete");
  if (!last) {
    ASSERT_EQ(HCL_Box_halo_start(halo_), MPI_SUCCESS);
  }
  ASSERT_EQ(HCL_Box_halo_wait(halo_), MPI_SUCCESS);
  // The mesh is periodic along rows: each row has two others beside it, with 4 points of 4 in common, and is
  // in their halos.
  for (const bool in_steps : {false, true}) {
    for (std::vector<int>& each : values_) std::fill(each.begin(), each.end(), 3);
    if (in_steps) {
      ASSERT_EQ(HCL_Box_halo_start_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_SUCCESS);
      expect_refused(HCL_Box_halo_start_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_REQUEST, "complete");
      ASSERT_EQ(HCL_Box_halo_wait(halo_), MPI_SUCCESS);
    } else {
      ASSERT_EQ(HCL_Box_halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_SUCCESS);
    }
    for (const std::vector<int>& each : values_) {
      EXPECT_EQ(each[7], 3 + 2 * 3);  // faces; corners show what is beyond the open border, nothing
      EXPECT_EQ(each[8], 3 + 2 * 3);
      EXPECT_EQ(each[0], 3);
    }
  }
  expect_refused(HCL_Box_halo_accumulate(halo_, 7), MPI_ERR_ARG, "op is 7");
  ASSERT_EQ(HCL_Box_halo_free(&halo_), MPI_SUCCESS);
  expect_refused(HCL_Box_halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_REQUEST, "HCL_BOX_HALO_NULL");
}

TEST_F(BoxRefusals, halos_that_are_under_way_or_whose_communicator_was_freed) {
  ASSERT_EQ(create(1, 2, fields_.data()), MPI_SUCCESS);
  ASSERT_EQ(HCL_Box_halo_start(halo_), MPI_SUCCESS);
  const HCL_Box_halo before = halo_;
  expect_refused(HCL_Box_halo_start(halo_), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Box_halo_exchange(halo_), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Box_halo_verify(halo_), MPI_ERR_REQUEST, "under way");
  expect_refused(HCL_Box_halo_free(&halo_), MPI_ERR_REQUEST, "under way");
  expect_refused(HCL_Box_halo_test(halo_, nullptr), MPI_ERR_ARG, "flag");
  expect_refused(HCL_Box_halo_statistics(halo_, nullptr), MPI_ERR_ARG, "statistics");
  EXPECT_EQ(halo_, before);
  ASSERT_EQ(HCL_Box_halo_wait(halo_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Box_halo_free(&halo_), MPI_SUCCESS);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  ASSERT_EQ(HCL_Box_halo_create(comm, boxes_, 1, 2, fields_.data(), 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL,
                                &halo_),
            MPI_SUCCESS);
  ASSERT_EQ(HCL_Box_halo_exchange(halo_), MPI_SUCCESS);
  MPI_Comm_free(&comm);
  expect_refused(HCL_Box_halo_start(halo_), MPI_ERR_ARG, "freed");  // by the handler of the world
  expect_refused(HCL_Box_halo_verify(halo_), MPI_ERR_ARG, "freed");
  ASSERT_EQ(HCL_Box_halo_free(&halo_), MPI_SUCCESS);
}

TEST_F(BoxRefusals, owners_and_connections_that_cannot_be) {
  HCL_Boxes made = HCL_BOXES_NULL;
  const std::array<int, 2> strange{0, -1}, beyond{0, world_size()}, zeros{};
  const auto list = [&](const int* owners) {
    return HCL_Boxes_create(2, mesh_.data(), periods_.data(), 2, owners, Sizes{0, 0, 1, 0}.data(),
                            extents_.data(), &made);
  };
  expect_refused(list(strange.data()), MPI_ERR_ARG, "owned by rank -1");
  expect_refused(list(nullptr), MPI_ERR_ARG, "owners");
  // Who knows how many ranks there are finds one that there is not.
  ASSERT_EQ(list(beyond.data()), MPI_SUCCESS);
  std::swap(made, boxes_);
  expect_refused(create(1, world_rank() == 0 ? 1 : 0, fields_.data()), MPI_ERR_ARG, "box 1 is owned by rank");
  std::swap(made, boxes_);
  ASSERT_EQ(HCL_Boxes_free(&made), MPI_SUCCESS);
  const auto connect = [&](int to, const Sizes& ghosts, int from, const Sizes& first, const int* axes,
                           int count = 1) {
    const Sizes one{1, 1, 1, 1};
    const std::array<int, 2> tos{to, to}, froms{from, from};
    return HCL_Boxes_connect(2, 2, zeros.data(), extents_.data(), count, tos.data(), ghosts.data(),
                             one.data(), froms.data(), first.data(), axes, nullptr, &made);
  };
  const std::array<int, 2> twice{1, 1}, third{0, 2}, before{-1, 0};
  expect_refused(connect(2, {-1, 0}, 0, {0, 0}, nullptr), MPI_ERR_ARG,
                 "connection 0 leads from box 0 to box 2");
  expect_refused(connect(-1, {-1, 0}, 0, {0, 0}, nullptr), MPI_ERR_ARG, "connection 0 leads to box -1");
  expect_refused(connect(0, {-1, 0}, -4, {0, 0}, nullptr), MPI_ERR_ARG, "connection 0 leads from box -4");
  expect_refused(connect(0, {0, 0}, 1, {0, 0}, nullptr), MPI_ERR_ARG, "own points of box 0");
  expect_refused(connect(0, {-1, 0}, 1, {0, 4}, nullptr), MPI_ERR_DIMS, "along dimension 1 of box 1");
  expect_refused(connect(0, {-1, 0}, 1, {0, 0}, twice.data()), MPI_ERR_ARG, "along dimension 1 twice");
  expect_refused(connect(0, {-1, 0}, 1, {0, 0}, third.data()), MPI_ERR_ARG, "dimension 2 of 2");
  expect_refused(connect(0, {-1, 0}, 1, {0, 0}, before.data()), MPI_ERR_ARG, "along dimension -1");
  expect_refused(connect(0, {-1, 0, -1, 0}, 1, {0, 0, 0, 1}, nullptr, 2), MPI_ERR_ARG,
                 "fill the same points");
  expect_refused(connect(0, {-1, 0}, 1, {0, 0}, nullptr, -1), MPI_ERR_ARG, "-1 connections");
  EXPECT_EQ(made, HCL_BOXES_NULL);
}

}  // namespace
}  // namespace halocline::api_box_refusals_tests
