// Sums of halos as a C program has them: each way, in one step and in two, and what is refused.

#include "api/halo_refusals.hpp"

#include <algorithm>

namespace halocline::api_accumulate_tests {
namespace {

class AccumulateInC : public HaloRefusals {
 protected:
  static constexpr int rows = 4, columns = 7, pitch = columns + 2;

  [[nodiscard]] int& at(int row, int column) {
    return values_[static_cast<std::size_t>((row + 1) * pitch + column + 1)];
  }
  /// Own points get `own`, the halo `ghost`.
  void fill(int own, int ghost) {
    for (int row = -1; row <= rows; ++row)
      for (int column = -1; column <= columns; ++column)
        at(row, column) = row >= 0 && row < rows && column >= 0 && column < columns ? own : ghost;
  }
  /// The mesh is periodic along rows alone, and cut there; only faces are filled. So its first and last rows
  /// are in one halo each.
  void expect_right(int edge, int inside, int ghost) {
    for (int row = -1; row <= rows; ++row)
      for (int column = -1; column <= columns; ++column) {
        const bool own = row >= 0 && row < rows && column >= 0 && column < columns;
        const int expected = !own ? ghost : row == 0 || row == rows - 1 ? edge : inside;
        EXPECT_EQ(at(row, column), expected) << row << ", " << column;
      }
  }
};

TEST_F(AccumulateInC, each_way) {
  ASSERT_EQ(halo_of(field_), MPI_SUCCESS);
  struct Case {
    int op, own, ghost, result;
  };
  for (const Case& each : {Case{HCL_ACCUMULATE_SUM, 5, 3, 8}, Case{HCL_ACCUMULATE_MIN, 5, 3, 3},
                           Case{HCL_ACCUMULATE_MIN, 2, 3, 2}, Case{HCL_ACCUMULATE_MAX, 5, 3, 5},
                           Case{HCL_ACCUMULATE_MAX, 2, 3, 3}, Case{HCL_ACCUMULATE_REPLACE, 5, 3, 3}}) {
    fill(each.own, each.ghost);
    ASSERT_EQ(HCL_Halo_accumulate(halo_, each.op), MPI_SUCCESS);
    expect_right(each.result, each.own, each.ghost);
    fill(each.own, each.ghost);
    ASSERT_EQ(HCL_Halo_start_accumulate(halo_, each.op), MPI_SUCCESS);
    expect_right(each.own, each.own, each.ghost);
    if (world_rank() % 2 == 0) {
      ASSERT_EQ(HCL_Halo_wait(halo_), MPI_SUCCESS);
    } else {
      int done = 0;
      while (done == 0) ASSERT_EQ(HCL_Halo_test(halo_, &done), MPI_SUCCESS);
    }
    expect_right(each.result, each.own, each.ghost);
  }
  ASSERT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
}

TEST_F(AccumulateInC, refuses_what_is_wrong_on_one_process_on_all) {
  ASSERT_EQ(halo_of(field_), MPI_SUCCESS);
  expect_refused(HCL_Halo_accumulate(HCL_HALO_NULL, HCL_ACCUMULATE_SUM), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  const int wrong = last_rank() ? 4 : HCL_ACCUMULATE_MAX;
  expect_refused(HCL_Halo_accumulate(halo_, wrong), MPI_ERR_ARG, "op is 4");
  expect_refused(HCL_Halo_start_accumulate(halo_, last_rank() ? -1 : 0), MPI_ERR_ARG, "op is -1");
  if (last_rank()) {
    ASSERT_EQ(HCL_Halo_start(halo_), MPI_SUCCESS);
  }
  expect_refused(HCL_Halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_REQUEST, "not complete");
  if (!last_rank()) {
    ASSERT_EQ(HCL_Halo_start(halo_), MPI_SUCCESS);
  }
  ASSERT_EQ(HCL_Halo_wait(halo_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_start_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_SUCCESS);
  expect_refused(HCL_Halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Halo_start(halo_), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Halo_free(&halo_), MPI_ERR_REQUEST, "under way");
  ASSERT_EQ(HCL_Halo_wait(halo_), MPI_SUCCESS);
  expect_refused(HCL_Halo_accumulate(halo_, 7), MPI_ERR_ARG, "op is 7");
  ASSERT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
}

TEST_F(AccumulateInC, refuses_elements_that_are_no_numbers) {
  for (MPI_Datatype element : {MPI_BYTE, MPI_CHAR, MPI_C_BOOL, MPI_2INT}) {
    HCL_Field field = attached(Sizes{6, 9}, Sizes{1, 1}, element);
    ASSERT_EQ(halo_of(field), MPI_SUCCESS);
    expect_refused(HCL_Halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_TYPE, "field 0");
    ASSERT_EQ(HCL_Halo_accumulate(halo_, HCL_ACCUMULATE_REPLACE), MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
    ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
  }
  if (world_size() == 1) return;
  HCL_Field field = attached(Sizes{6, 9}, Sizes{1, 1}, last_rank() ? MPI_FLOAT : MPI_INT);
  ASSERT_EQ(halo_of(field), MPI_SUCCESS);
  expect_refused(HCL_Halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_ERR_TYPE,
                 "field 0 has elements of other");
  ASSERT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST_F(AccumulateInC, datatypes_made_of_numbers) {
  const std::array<int, 2> lengths{1, 1};
  const std::array<MPI_Aint, 2> places{0, 8};
  const std::array<MPI_Datatype, 2> types{MPI_FLOAT, MPI_LONG};
  mpi::Datatype pair;
  MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), pair.put());
  struct Pair {
    float a;
    long b;
  };
  std::vector<Pair> pairs(54, {0.5F, 3});
  const Sizes extents{6, 9};
  HCL_Field field = HCL_FIELD_NULL;
  ASSERT_EQ(
      HCL_Field_attach(pairs.data(), 2, extents.data(), nullptr, nullptr, MPI_ORDER_C, pair.get(), &field),
      MPI_SUCCESS);
  ASSERT_EQ(halo_of(field), MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_accumulate(halo_, HCL_ACCUMULATE_SUM), MPI_SUCCESS);
  const auto sums =
      std::count_if(pairs.begin(), pairs.end(), [](const Pair& p) { return p.a == 1 && p.b == 6; });
  EXPECT_EQ(sums, 14);  // the first row and the last
  ASSERT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

}  // namespace
}  // namespace halocline::api_accumulate_tests
