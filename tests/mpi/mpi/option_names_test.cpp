// Options that are types have the names that tables know.

#include "mpi/settings/option_names.hpp"

#include "expect_error.hpp"
#include "network/mapping_problem.hpp"
#include "place/algorithms.hpp"

#include <gtest/gtest.h>

namespace halocline::mpi_option_names_tests {
namespace {

TEST(OptionNames, every_placement_algorithm_has_one) {
  using enum PlacementAlgorithm;
  EXPECT_EQ(mpi::name_of(best), "best");
  EXPECT_EQ(mpi::name_of(blocked), "blocked");
  EXPECT_EQ(mpi::name_of(random), "random");
  EXPECT_EQ(mpi::name_of(nodecart), "nodecart");
  EXPECT_EQ(mpi::name_of(hyperplane), "hyperplane");
  EXPECT_EQ(mpi::name_of(kd_tree), "kd-tree");
  EXPECT_EQ(mpi::name_of(strips), "strips");
  EXPECT_EQ(mpi::name_of(optimal_strips), "optimal-strips");
  for (const place::Algorithm& algorithm : place::algorithms())
    EXPECT_EQ(mpi::name_of(mpi::algorithm_named(algorithm.name)), algorithm.name);
  EXPECT_EQ(mpi::algorithm_named("best"), best);
}

TEST(OptionNames, every_mapping_of_nodes_has_one) {
  using enum NodeMapping;
  EXPECT_EQ(mpi::name_of(z2_1), "z2_1");
  EXPECT_EQ(mpi::name_of(z2_2), "z2_2");
  EXPECT_EQ(mpi::name_of(z2_3), "z2_3");
  EXPECT_EQ(mpi::name_of(links), "links");
  for (const network::Variant& variant : network::variants())
    EXPECT_EQ(mpi::name_of(mpi::mapping_named(variant.name)), variant.name);
  EXPECT_EQ(mpi::name_of(std::optional<NodeMapping>()), "");
  EXPECT_EQ(mpi::mapping_named(""), std::nullopt);
}

TEST(OptionNames, what_there_is_not_is_refused) {
  expect_error(
      Fault::invalid_argument, [] { (void)mpi::name_of(static_cast<PlacementAlgorithm>(8)); }, "8");
  expect_error(
      Fault::invalid_argument, [] { (void)mpi::name_of(static_cast<NodeMapping>(4)); }, "4");
  expect_error(
      Fault::invalid_argument, [] { (void)mpi::algorithm_named("z-tree"); }, "z-tree", "kd-tree");
  expect_error(
      Fault::invalid_argument, [] { (void)mpi::mapping_named("z9"); }, "z9", "z2_1");
}

}  // namespace
}  // namespace halocline::mpi_option_names_tests
