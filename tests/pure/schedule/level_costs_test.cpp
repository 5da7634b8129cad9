// What goes by node: lengths at the prices given, and into how many messages it is divided.
#include "halocline/schedule/level_costs.hpp"

#include "expect_error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline::schedule {
namespace {

TEST(LevelCosts, a_message_is_worth_the_bytes_that_take_as_long) {
  EXPECT_EQ(longest_by_node({}), 4500);
  EXPECT_EQ(longest_by_node({{0, 0}, {0x1p-10, 0x1p-20}}), 1024);
  EXPECT_EQ(longest_by_node({{0, 0x1p-21}, {0x1p-10, 0x1p-20}}), 512);  // copied once more on both sides
  EXPECT_EQ(longest_by_node({{5, 0}, {0x1p-10, 0x1p-20}}), 1024);       // flags on a node count for nothing
}

TEST(LevelCosts, one_message_pays_if_it_stands_for_two_of_each_process) {
  EXPECT_TRUE(pays_by_node(8, 4, 4));
  EXPECT_FALSE(pays_by_node(7, 4, 4));
  EXPECT_FALSE(pays_by_node(8, 5, 1));  // whoever is the busier side
  EXPECT_FALSE(pays_by_node(8, 1, 5));
}

TEST(LevelCosts, free_messages_are_not_put_together_and_free_bytes_always_are) {
  EXPECT_EQ(longest_by_node({{0, 0}, {0, 1e-9}}), 0);
  EXPECT_EQ(longest_by_node({{0, 0}, {0, 0}}), 0);
  EXPECT_GT(longest_by_node({{0, 0}, {1e-6, 0}}), Count{1} << 60);
}

TEST(LevelCosts, prices_are_finite_and_not_negative) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double price : {-1e-9, 1e300, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    expect_error(
        Fault::invalid_argument,
        [&] {
          (void)longest_by_node({{price, 0}, {0, 0}});
        },
        "");
    expect_error(
        Fault::invalid_argument,
        [&] {
          (void)longest_by_node({{0, 0}, {0, price}});
        },
        "");
  }
}

TEST(LevelCosts, what_nodes_exchange_travels_in_messages_of_16_KiB) {
  EXPECT_EQ(node_messages(1), 1);
  EXPECT_EQ(node_messages(2 * 16384 - 1), 1);
  EXPECT_EQ(node_messages(2 * 16384), 2);
  EXPECT_EQ(node_messages(Count{1} << 40), most_node_messages);
}

}  // namespace
}  // namespace halocline::schedule
