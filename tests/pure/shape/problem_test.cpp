#include "shape/problem.hpp"

#include "halocline/base/error.hpp"
#include "shape/choose.hpp"

#include <gtest/gtest.h>

namespace halocline::shape {
namespace {

Fault fault_of(const Problem& problem) {
  try {
    (void)by_levels(problem);
  } catch (const Error& error) {
    return error.fault();
  }
  return Fault::internal;
}

std::string text_of(const Problem& problem) {
  try {
    (void)by_levels(problem);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Problem, of_a_mesh_has_its_weights_limits_and_periodicity) {
  const Problem problem = Problem::for_mesh({4, 2}, Mesh({100, 7, 3}, periodic(1, 0, 0)), {2, 0, 4});
  EXPECT_EQ(problem.levels, (Counts{4, 2}));
  EXPECT_EQ(problem.weights, Weights::of_mesh(Mesh({100, 7, 3}), {2, 0, 4}));
  EXPECT_EQ(problem.limits, (Counts{50, 7, 1}));
  EXPECT_EQ(problem.periodicity, periodic(1, 0, 0));
}

TEST(Problem, refuses_bad_levels) {
  for (const Counts& levels : std::vector<Counts>{{}, {0}, {4, -1}, {Count{1} << 40, Count{1} << 40}})
    EXPECT_EQ(fault_of({levels, Weights::equal(2), {}, {}, {}}), Fault::invalid_dimensions);
}

TEST(Problem, refuses_lists_of_another_dimension) {
  EXPECT_EQ(fault_of({{6}, Weights::equal(2), {2}, {}, {}}), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of({{6}, Weights::equal(2), {}, {2, 2, 2}, {}}), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of({{6}, Weights::equal(2), {}, {}, periodic(1)}), Fault::invalid_dimensions);
}

TEST(Problem, refuses_fixed_extents_that_do_not_fit_and_names_them) {
  EXPECT_EQ(fault_of({{12}, Weights::equal(2), {5, 0}, {}, {}}), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of({{12}, Weights::equal(2), {-1, 0}, {}, {}}), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of({{12}, Weights::equal(2), {2, 3}, {}, {}}), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of({{12}, Weights::equal(2), {4, 0}, {3, 0}, {}}), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of({{12}, Weights::equal(2), {}, {-3, 0}, {}}), Fault::invalid_dimensions);
  // Each divides 12, their product does not.
  EXPECT_EQ(fault_of({{12}, Weights::equal(3), {4, 6, 0}, {}, {}}), Fault::invalid_dimensions);
  EXPECT_NE(text_of({{12}, Weights::equal(2), {5, 0}, {}, {}}).find("factor of 5"), std::string::npos);
}

TEST(Problem, refuses_more_processes_than_mesh_points) {
  EXPECT_EQ(fault_of(Problem::for_mesh({64}, Mesh({4, 4}))), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of(Problem::for_mesh({7}, Mesh({6, 6}))), Fault::invalid_dimensions);
  EXPECT_NE(text_of(Problem::for_mesh({7}, Mesh({6, 6}))).find("6,6"), std::string::npos);
  EXPECT_EQ(fault_of(Problem::for_mesh({16}, Mesh({4, 4}))), Fault::internal) << "fits, so nothing is thrown";
}

}  // namespace
}  // namespace halocline::shape
