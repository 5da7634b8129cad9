// Choosing grids through the C interface, beside the system's MPI_Dims_create. One rank is enough.
#include "halocline/halocline.h"
#include "halocline/mpix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Dims = std::vector<int>;

Dims plain(int processes, int dimensions) {
  Dims dims(static_cast<std::size_t>(dimensions), 0);
  EXPECT_EQ(MPIX_Dims_weighted_create(processes, dimensions, MPIX_WEIGHTS_EQUAL, dims.data()), MPI_SUCCESS);
  return dims;
}

Dims for_mesh(int processes, const std::vector<int64_t>& mesh, const std::vector<int64_t>& halo = {},
              Dims dims = {}) {
  dims.resize(mesh.size(), 0);
  EXPECT_EQ(HCL_Dims_mesh_create(processes, static_cast<int>(mesh.size()), mesh.data(),
                                 halo.empty() ? nullptr : halo.data(), dims.data()),
            MPI_SUCCESS);
  return dims;
}

TEST(Dims, examples_of_the_paper) {
  EXPECT_EQ(for_mesh(12, {1800, 580}), (Dims{6, 2}));
  EXPECT_EQ(plain(360, 3), (Dims{9, 8, 5}));
  EXPECT_EQ(plain(72, 2), (Dims{9, 8}));
  EXPECT_EQ(plain(6125, 2), (Dims{125, 49}));
}

TEST(Dims, levels_of_the_paper) {
  const double weights[] = {1.0 / 1000, 1.0 / 1100, 1.0 / 950};
  const int sizes[] = {625, 2, 12};
  std::vector<int> factors(9);
  ASSERT_EQ(MPIX_Dims_ml_create(15000, 3, weights, 3, sizes, factors.data()), MPI_SUCCESS);
  EXPECT_EQ(factors, (std::vector<int>{5, 2, 3, 25, 1, 1, 5, 1, 4}));  // by dimension: nodes, packages, cores
}

TEST(Dims, positive_entries_stay) {
  EXPECT_EQ(for_mesh(24, {100, 100, 100}, {}, {0, 4, 0}), (Dims{3, 4, 2}));
  Dims dims{0, 5};
  EXPECT_EQ(HCL_Dims_weighted_create(30, 2, HCL_WEIGHTS_EQUAL, dims.data()), MPI_SUCCESS);
  EXPECT_EQ(dims, (Dims{6, 5}));
}

TEST(Dims, wide_halos_weigh_more) {
  EXPECT_EQ(for_mesh(16, {1000, 1000}, {1, 1}), (Dims{4, 4}));
  EXPECT_EQ(for_mesh(16, {1000, 1000}, {4, 1}), (Dims{2, 8}));
}

struct Balance {
  long sum;
  long spread;
};

Balance balance(const Dims& dims) {
  const auto [least, largest] = std::minmax_element(dims.begin(), dims.end());
  return {std::accumulate(dims.begin(), dims.end(), 0L), *largest - *least};
}

TEST(Dims, never_worse_than_the_systems_for_any_p_up_to_10000) {
  int better = 0;
  for (int dimensions = 2; dimensions <= 4; ++dimensions)
    for (int processes = 2; processes <= 10000; ++processes) {
      const Balance ours = balance(plain(processes, dimensions));
      Dims system(static_cast<std::size_t>(dimensions), 0);
      MPI_Dims_create(processes, dimensions, system.data());
      const Balance theirs = balance(system);
      ASSERT_LE(ours.sum, theirs.sum) << processes << " in " << dimensions << " dimensions";
      if (ours.sum == theirs.sum) {
        ASSERT_LE(ours.spread, theirs.spread) << processes << " in " << dimensions;
      }
      better += ours.sum < theirs.sum || ours.spread < theirs.spread;
    }
  std::printf("better than MPI_Dims_create for %d of 29997 grids\n", better);
}

class DimsErrors : public testing::Test {
 protected:
  void SetUp() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }
  void TearDown() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL); }

  /// `code` is of that class and its text has the words.
  static void expect_refused(int code, int error_class, const std::string& words) {
    int actual = MPI_SUCCESS;
    MPI_Error_class(code, &actual);
    EXPECT_EQ(actual, error_class);
    std::string text(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    ASSERT_EQ(HCL_Error_string(code, text.data(), &length), MPI_SUCCESS);
    text.resize(static_cast<std::size_t>(length));
    EXPECT_NE(text.find(words), std::string::npos) << text;
  }
};

TEST_F(DimsErrors, name_the_value) {
  Dims dims{0, 0};
  const double nan[] = {1, std::nan("")};
  const double negative[] = {-1, 1};
  const double infinite[] = {1, HUGE_VAL};
  expect_refused(HCL_Dims_weighted_create(4, 0, nullptr, dims.data()), MPI_ERR_DIMS, "0 dimensions");
  expect_refused(HCL_Dims_weighted_create(0, 2, nullptr, dims.data()), MPI_ERR_DIMS, "0 processes");
  expect_refused(HCL_Dims_weighted_create(4, 2, nan, dims.data()), MPI_ERR_ARG, "nan");
  expect_refused(HCL_Dims_weighted_create(4, 2, negative, dims.data()), MPI_ERR_ARG, "-1");
  expect_refused(HCL_Dims_weighted_create(4, 2, infinite, dims.data()), MPI_ERR_ARG, "inf");
  expect_refused(HCL_Dims_weighted_create(4, 2, nullptr, nullptr), MPI_ERR_ARG, "dims is a null pointer");
  Dims fixed{3, 0};
  expect_refused(HCL_Dims_weighted_create(4, 2, nullptr, fixed.data()), MPI_ERR_DIMS, "3");
  EXPECT_EQ(fixed, (Dims{3, 0}));
  const int sizes[] = {3, 2};
  Dims factors(4);
  expect_refused(HCL_Dims_ml_create(8, 2, nullptr, 2, sizes, factors.data()), MPI_ERR_DIMS,
                 "levels of 3 x 2 are not 8 processes");
  expect_refused(HCL_Dims_ml_create(8, 2, nullptr, 0, sizes, factors.data()), MPI_ERR_ARG, "0 levels");
}

}  // namespace
