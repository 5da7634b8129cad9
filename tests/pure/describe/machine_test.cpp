#include "halocline/describe/machine.hpp"

#include "expect_error.hpp"

#include <random>

namespace halocline {
namespace {

TEST(Machine, even_levels) {
  const Machine machine = Machine::of_levels({625, 2, 12});
  EXPECT_EQ(machine.to_text(), "node:625 package:2 core:12");
  EXPECT_EQ(machine.ranks(), 15000);
  EXPECT_EQ(machine.nodes(), 625);
  EXPECT_EQ(machine.sizes(1), Runs::of(1250, 12));
  EXPECT_EQ(machine.arities(), (Counts{625, 2, 12}));
  EXPECT_EQ(Machine::parse("nodes:6,6,4").arities(), std::nullopt);
  EXPECT_EQ(machine.node_of(23), 0);
  EXPECT_EQ(machine.node_of(24), 1);
  EXPECT_EQ(Machine::of_levels({2, 2, 2, 2, 2, 2}).to_text(), "node:2 package:2 numa:2 l3:2 level4:2 core:2");
}

TEST(Machine, uneven_nodes) {
  const Machine machine = Machine::parse("nodes:6,6,4");
  EXPECT_EQ(machine, Machine::parse("node:3 core:6,6,4"));
  EXPECT_EQ(machine.to_text(), "node:3 core:2x6,4");
  EXPECT_EQ(machine.node_sizes(), Runs({6, 6, 4}));
  EXPECT_EQ(machine.node_of(12), 2);
  EXPECT_EQ(Machine::parse("nodes:40x48,20x24").ranks(), 2400);
}

TEST(Machine, uneven_inside_and_levels_above_the_nodes) {
  const Machine machine = Machine::parse("rack:2 node:2,1 package:2,1,2 core:3,3,4,1,2");
  EXPECT_EQ(machine.ranks(), 13);
  EXPECT_EQ(machine.node_level(), 1U);
  EXPECT_EQ(machine.sizes(0), Runs({10, 3}));
  EXPECT_EQ(machine.node_sizes(), Runs({6, 4, 3}));
  EXPECT_EQ(machine.sizes(2), Runs({3, 3, 4, 1, 2}));
  EXPECT_EQ(machine.sizes(3), Runs::of(13, 1));
  EXPECT_EQ(Machine::parse(machine.to_text()), machine);
}

TEST(Machine, the_first_ranks_keep_their_groups) {
  const Machine machine = Machine::parse("rack:2 node:2,1 package:2,1,2 core:3,3,4,1,2");
  for (Rank ranks = 1; ranks <= machine.ranks(); ++ranks) {
    const Machine first = machine.first(ranks);
    EXPECT_EQ(first.ranks(), ranks);
    for (std::size_t level = 0; level < machine.levels().size(); ++level)
      for (Rank rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(first.sizes(level).find(rank), machine.sizes(level).find(rank));
  }
  EXPECT_EQ(machine.first(13), machine);
  EXPECT_EQ(Machine::parse("node:1000000000 core:16").first(40).to_text(), "node:3 core:2x16,8");
}

TEST(Machine, a_billion_equal_nodes_cost_no_more_than_one) {
  const Machine machine = Machine::parse("node:1000000000 numa:4 core:16");
  EXPECT_EQ(machine.ranks(), 64000000000);
  EXPECT_EQ(machine.node_sizes().runs().size(), 1U);
  EXPECT_EQ(machine.node_of(63999999999), 999999999);
}

TEST(Machine, random_trees_round_trip_and_add_up) {
  constexpr std::uint64_t seed = 4711;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<Machine::Level> levels;
    Count groups = 1;
    for (const char* name : {"rack", "node", "numa", "core"}) {
      Counts children;
      for (Count g = 0; g < groups; ++g) children.push_back(1 + static_cast<Count>(random() % 3));
      levels.push_back({name, Runs(children)});
      groups = levels.back().children.total();
    }
    const Machine machine(levels);
    EXPECT_EQ(Machine::parse(machine.to_text()), machine) << "seed " << seed << ": " << machine.to_text();
    for (std::size_t level = 0; level < levels.size(); ++level) {
      EXPECT_EQ(machine.sizes(level).total(), machine.ranks());
      EXPECT_EQ(machine.sizes(level).size(), levels[level].children.total());
    }
  }
}

TEST(Machine, refuses_nonsense) {
  const auto parse = [](const char* text) { return [text] { (void)Machine::parse(text); }; };
  expect_error(Fault::invalid_argument, parse(""), "no level");
  expect_error(Fault::invalid_argument, parse("core:4"), "level called node");
  expect_error(Fault::invalid_argument, parse("node:2 node:2"), "two levels called node");
  expect_error(Fault::invalid_argument, parse("node:3 core:6,6"), "2 entries for 3 groups");
  expect_error(Fault::invalid_argument, parse("node:0"), "size 0 is not positive");
  expect_error(Fault::invalid_argument, parse("nodes:48,-1"), "size -1 is not positive");
  expect_error(Fault::invalid_argument, parse("node:4294967296 core:2147483648"), "64 bits");
  for (const char* text : {"node", "node 4", "4", "node:4 ;", "nodes:6,6 core:2", "node:"})
    expect_error(Fault::invalid_argument, parse(text), "looks like");
  expect_error(
      Fault::invalid_argument, [] { (void)Machine::of_nodes(Runs()); }, "at least one node");
  expect_error(
      Fault::invalid_argument, [] { (void)Machine::of_levels({}); }, "at least one level");
  expect_error(
      Fault::invalid_argument,
      [] {
        (void)Machine::of_levels({4, 0});
      },
      "size 0");
}

}  // namespace
}  // namespace halocline
