// Options that are types have the names that tables know.

#include "plan/options/option_names.hpp"

#include "../expect_error.hpp"
#include "halocline/plan/plan.hpp"
#include "network/mapping_problem.hpp"
#include "place/algorithms.hpp"
#include "schedule/algorithms.hpp"

#include <gtest/gtest.h>

namespace halocline::plan::option_names_tests {
namespace {

TEST(OptionNames, every_placement_algorithm_has_one) {
  using enum PlacementAlgorithm;
  EXPECT_EQ(name_of(best), "best");
  EXPECT_EQ(name_of(blocked), "blocked");
  EXPECT_EQ(name_of(random), "random");
  EXPECT_EQ(name_of(nodecart), "nodecart");
  EXPECT_EQ(name_of(hyperplane), "hyperplane");
  EXPECT_EQ(name_of(kd_tree), "kd-tree");
  EXPECT_EQ(name_of(strips), "strips");
  EXPECT_EQ(name_of(optimal_strips), "optimal-strips");
  for (const place::Algorithm& algorithm : place::algorithms())
    EXPECT_EQ(name_of(algorithm_named(algorithm.name)), algorithm.name);
  EXPECT_EQ(algorithm_named("best"), best);
}

TEST(OptionNames, every_mapping_of_nodes_has_one) {
  using enum NodeMapping;
  EXPECT_EQ(name_of(z2_1), "z2_1");
  EXPECT_EQ(name_of(z2_2), "z2_2");
  EXPECT_EQ(name_of(z2_3), "z2_3");
  EXPECT_EQ(name_of(links), "links");
  for (const network::Variant& variant : network::variants())
    EXPECT_EQ(name_of(mapping_named(variant.name)), variant.name);
}

TEST(OptionNames, every_schedule_has_one) {
  using enum ScheduleChoice;
  EXPECT_EQ(name_of(automatic), "auto");
  EXPECT_EQ(name_of(direct), "direct");
  EXPECT_EQ(name_of(torus_direct), "torus-direct");
  for (const ScheduleChoice schedule : {automatic, direct, node, mixed, torus, torus_direct, basis})
    EXPECT_EQ(schedule_named(name_of(schedule)), schedule);
  for (const schedule::Algorithm& algorithm : schedule::algorithms())
    EXPECT_EQ(name_of(schedule_named(algorithm.name)), algorithm.name);
}

TEST(OptionNames, where_nothing_was_placed_nothing_was_wanted) {
  EXPECT_EQ(wanted_algorithm(not_placed), PlacementAlgorithm::best);
  EXPECT_EQ(wanted_algorithm("strips"), PlacementAlgorithm::strips);
}

TEST(OptionNames, what_there_is_not_is_refused) {
  expect_error(
      Fault::invalid_argument, [] { (void)name_of(static_cast<PlacementAlgorithm>(8)); }, "8");
  expect_error(
      Fault::invalid_argument, [] { (void)name_of(static_cast<NodeMapping>(4)); }, "4");
  expect_error(
      Fault::invalid_argument, [] { (void)algorithm_named("z-tree"); }, "z-tree", "kd-tree");
  expect_error(
      Fault::invalid_argument, [] { (void)mapping_named("z9"); }, "z9", "z2_1");
  expect_error(
      Fault::invalid_argument, [] { (void)name_of(static_cast<ScheduleChoice>(77)); }, "77");
  expect_error(
      Fault::invalid_argument, [] { (void)schedule_named("fast"); }, "fast", "auto", "mixed", "torus-direct");
}

}  // namespace
}  // namespace halocline::plan::option_names_tests
