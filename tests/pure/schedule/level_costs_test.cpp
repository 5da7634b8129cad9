// What goes by node: lengths at the prices given, and into how many messages it is divided.
#include "halocline/schedule/level_costs.hpp"

#include "expect_error.hpp"
#include "schedule/by_node.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>

namespace halocline::schedule {
namespace {

static_assert(std::is_trivially_copyable_v<LevelCosts>, "it is broadcast as it is");

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

TEST(LevelCosts, levels_have_prices_by_name) {
  LevelPrices levels;
  EXPECT_TRUE(levels.empty());
  EXPECT_EQ(levels.find("numa"), nullptr);
  levels.set("numa", {1, 2, 3});
  levels.set("switch", {4, 5, 6});
  levels.set("numa", {7, 8, 9});  // in the place of the first
  ASSERT_NE(levels.find("numa"), nullptr);
  EXPECT_EQ(levels.find("numa")->round_seconds, 7);
  EXPECT_EQ(levels.find("switch")->latency_seconds, 6);
  EXPECT_EQ(levels.find("num"), nullptr);
  EXPECT_EQ(levels.find("numa2"), nullptr);
  EXPECT_EQ(levels.end() - levels.begin(), 2);
  EXPECT_EQ(levels.begin()->level(), "numa");
}

TEST(LevelCosts, names_of_levels_are_short_and_few) {
  const auto expect_refusal = [](LevelPrices& levels, const std::string& name, const char* words) {
    expect_error(
        Fault::invalid_argument,
        [&] {
          levels.set(name, {0, 0});
        },
        words);
  };
  LevelPrices levels;
  for (const char* name : {"node", "network"}) expect_refusal(levels, name, name);
  expect_refusal(levels, "", "1 to 23");
  expect_refusal(levels, std::string(24, 'x'), "1 to 23");
  EXPECT_TRUE(levels.empty());
  levels.set(std::string(23, 'x'), {1, 2});
  EXPECT_NE(levels.find(std::string(23, 'x')), nullptr);
  for (std::size_t i = 1; i < LevelPrices::most; ++i) levels.set("level" + std::to_string(i), {1, 2});
  expect_refusal(levels, "one_more", "8 levels");
  levels.set("level1", {3, 4});
  EXPECT_EQ(levels.find("level1")->round_seconds, 3);
}

TEST(LevelCosts, all_prices_are_checked) {
  LevelCosts costs;
  costs.levels.set("numa", {0, 0, -1});
  expect_error(
      Fault::invalid_argument, [&] { check(costs); }, "-1");
  expect_error(
      Fault::invalid_argument, [&] { (void)longest_by_node(costs); }, "-1");
}

TEST(LevelCosts, what_nodes_exchange_travels_in_messages_of_16_kib) {
  EXPECT_EQ(node_messages(1), 1);
  EXPECT_EQ(node_messages(2 * 16384 - 1), 1);
  EXPECT_EQ(node_messages(2 * 16384), 2);
  EXPECT_EQ(node_messages(Count{1} << 40), most_node_messages);
}

}  // namespace
}  // namespace halocline::schedule
