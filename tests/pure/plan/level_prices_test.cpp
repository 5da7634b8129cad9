// Prices of levels besides the node and the network: which one a message has, and what comes of it.

#include "../expect_error.hpp"
#include "place/algorithms.hpp"
#include "plan/prediction/prediction.hpp"
#include "plan/prices/pair_prices.hpp"
#include "problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace halocline::plan::level_prices_tests {
namespace {

using schedule::LinearCost;

LevelCosts with_levels(LevelCosts costs, std::initializer_list<std::pair<const char*, LinearCost>> levels) {
  for (const auto& [name, cost] : levels) costs.levels.set(name, cost);
  return costs;
}

/// By the definition: the innermost group that holds both, then outwards.
LinearCost defined_price(const Machine& machine, const LevelCosts& costs, Rank a, Rank b) {
  const bool stays = machine.node_of(a) == machine.node_of(b);
  for (std::size_t level = machine.levels().size(); level-- > 0;) {
    if (machine.sizes(level).find(a) != machine.sizes(level).find(b)) continue;
    if (machine.levels()[level].name == "node") break;
    if (const LinearCost* const cost = costs.levels.find(machine.levels()[level].name)) return *cost;
  }
  return stays ? costs.on_node : costs.between_nodes;
}

const char* const machines[] = {"node:4 core:4",
                                "node:4 numa:2 core:2",
                                "node:2 numa:2 l3:2 core:2",
                                "switch:2 node:2 core:4",
                                "island:2 switch:2 node:2 numa:1 core:2",
                                "switch:2 node:3,1 socket:2,1,2,1 core:3,2,1,4,2,4"};

TEST(LevelPrices, a_message_has_that_of_the_innermost_group_that_has_one) {
  std::mt19937 random(7);
  for (const char* text : machines) {
    const Machine machine = Machine::parse(text);
    std::vector<int> node_of;
    std::vector<Rank> rank_of(static_cast<std::size_t>(machine.ranks()));
    for (std::size_t cell = 0; cell < rank_of.size(); ++cell) rank_of[cell] = static_cast<Rank>(cell);
    std::shuffle(rank_of.begin(), rank_of.end(), random);
    for (const Rank rank : rank_of) node_of.push_back(static_cast<int>(machine.node_of(rank)));
    const Sites sites{&machine, [&](Count cell) { return rank_of[static_cast<std::size_t>(cell)]; }};
    // Any of these levels may have a price; some machines have none of them.
    const char* const names[] = {"numa", "l3", "switch", "socket", "island", "core"};
    for (unsigned priced = 0; priced < 1U << std::size(names); ++priced) {
      LevelCosts costs = prices;
      for (std::size_t n = 0; n < std::size(names); ++n)
        if ((priced >> n & 1U) != 0) costs.levels.set(names[n], {1.0 + static_cast<double>(n), 0});
      const PairPrices of(node_of, sites, costs);
      for (Count a = 0; a < machine.ranks(); ++a)
        for (Count b = 0; b < machine.ranks(); ++b) {
          if (a == b) continue;
          const std::size_t price = of.of(a, b);
          const Rank here = sites.position(a), there = sites.position(b);
          ASSERT_EQ(of[price].round_seconds, defined_price(machine, costs, here, there).round_seconds)
              << text << ", prices " << priced << ", ranks " << here << " and " << there;
          ASSERT_EQ(of.leaves(price), machine.node_of(here) != machine.node_of(there));
        }
    }
  }
}

TEST(LevelPrices, are_for_levels_of_several_processes) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(other_levels(Machine::parse("node:4 core:4")), Names());
  EXPECT_EQ(other_levels(Machine::parse("node:4")), Names());
  EXPECT_EQ(other_levels(Machine::parse("island:2 switch:2 node:2 numa:2 l3:2 core:2")),
            (Names{"island", "switch", "numa", "l3"}));
  EXPECT_EQ(other_levels(Machine::parse("network:2 node:2 core:2")), Names());
}

TEST(LevelPrices, count_for_nothing_where_the_machine_is_not_known) {
  const std::vector<int> node_of{0, 0, 1};
  const LevelCosts costs = with_levels(prices, {{"numa", {1, 1}}, {"switch", {2, 2}}});
  const Sites nowhere;
  const PairPrices of(node_of, nowhere, costs);
  EXPECT_EQ(of.size(), 2U);
  EXPECT_EQ(of[of.of(0, 1)].round_seconds, prices.on_node.round_seconds);
  EXPECT_EQ(of[of.of(0, 2)].round_seconds, prices.between_nodes.round_seconds);
}

/// A placed grid whose blocks all have positive sizes.
struct World {
  Problem problem;
  Placement placement;
  Placed placed;

  World(const char* machine, const char* algorithm)
      : problem(ready(problem_of("24x24 periodic:0,1", "moore:1", machine))),
        placement(place::algorithm(algorithm).place(
            place::Problem(Grid({4, 4}, {false, true}), problem.stencil, problem.machine))),
        placed(problem, placement) {}

  [[nodiscard]] Rank rank(Count cell) const { return placement.rank(placement.grid().cell(cell)); }
};

/// What the processes of the world send directly, by sender and receiver, itself included.
std::map<std::pair<Count, Count>, Count> messages_of(const World& world) {
  std::map<std::pair<Count, Count>, Count> messages;
  const Demand demand = world.placed.demand();
  for (Count cell = 0; cell < demand.grid.size(); ++cell)
    for (std::size_t i = 0; i < demand.offsets.size(); ++i) {
      const Count peer = demand.grid.index_at(demand.grid.cell(cell), demand.offsets.offsets()[i]);
      if (peer != Lattice::nowhere) messages[{cell, peer}] += demand.bytes(cell, i);
    }
  return messages;
}

/// The time of messages one by one, by the definition.
double direct_seconds(const World& world, const LevelCosts& costs) {
  struct Busy {
    double messages = 0, staying = 0, leaving = 0;
    bool leaves = false;
  };
  std::map<Count, Busy> of_cell;
  std::map<Count, double> way_out;
  for (const auto& [pair, bytes] : messages_of(world)) {
    const auto [cell, peer] = pair;
    const auto size = static_cast<double>(bytes);
    const Rank here = world.rank(cell), there = world.rank(peer);
    Busy& busy = of_cell[cell];
    const Machine& machine = world.problem.machine;
    const LinearCost price = defined_price(machine, costs, here, there);
    if (cell == peer) {
      busy.messages += size * costs.on_node.byte_seconds;
    } else if (machine.node_of(here) == machine.node_of(there)) {
      busy.messages += price.round_seconds + size * price.byte_seconds;
      busy.staying = std::max(busy.staying, price.latency_seconds);
    } else {
      busy.messages += price.round_seconds;
      busy.leaving = std::max(busy.leaving, price.latency_seconds);
      busy.leaves = true;
      way_out[machine.node_of(here)] += size * price.byte_seconds;
    }
  }
  double longest = 0;
  for (Count node = 0; node < world.problem.machine.nodes(); ++node) {
    double messages = 0, under_way = 0;
    for (const auto& [cell, busy] : of_cell) {
      if (world.problem.machine.node_of(world.rank(cell)) != node) continue;
      messages = std::max(messages, busy.messages);
      under_way = std::max(under_way, busy.leaves ? busy.leaving : busy.staying);
    }
    longest = std::max(longest, messages + under_way + way_out[node]);
  }
  return longest;
}

double seconds(const World& world, const std::string& schedule, const LevelCosts& costs) {
  return predict(world.placed, schedule_named(schedule), costs).seconds.total();
}

TEST(LevelPrices, make_the_time_of_an_exchange) {
  std::mt19937 random(11);
  const auto any = [&] {
    const auto between = [&](double least, double most) {
      return std::uniform_real_distribution<double>(least, most)(random);
    };
    return LinearCost{between(1e-8, 1e-5), between(1e-11, 1e-8), between(0, 1e-5)};
  };
  for (const char* machine :
       {"node:4 numa:2 core:2", "switch:2 node:2 core:4", "switch:2 node:2 numa:2 core:2"})
    for (const char* algorithm : {"blocked", "random", "strips"}) {
      const World world(machine, algorithm);
      for (int i = 0; i < 20; ++i) {
        const LevelCosts costs = with_levels({any(), any()}, {{"numa", any()}, {"switch", any()}});
        EXPECT_DOUBLE_EQ(seconds(world, "direct", costs), direct_seconds(world, costs))
            << machine << ", " << algorithm;
      }
    }
}

TEST(LevelPrices, of_a_group_of_all_nodes_are_those_of_the_network) {
  const World world("switch:1 node:8 core:2", "strips");
  const LinearCost fast{3e-7, 5e-11, 9e-7};
  const LevelCosts named = with_levels(prices, {{"switch", fast}}), plain{prices.on_node, fast};
  for (const std::string& name : schedule_names()) {
    if (name == "mixed") continue;  // what is short enough is told by the price of the network
    EXPECT_DOUBLE_EQ(seconds(world, name, named), seconds(world, name, plain)) << name;
    EXPECT_NE(seconds(world, name, named), seconds(world, name, prices)) << name;
  }
}

TEST(LevelPrices, of_a_group_of_all_that_is_on_a_node_are_those_of_its_messages) {
  const World world("node:4 numa:1 core:4", "blocked");
  const LevelCosts named = with_levels(prices, {{"numa", {5e-6, 1e-10}}}),
                   plain{{5e-6, 1e-10}, prices.between_nodes};
  for (const std::string& name : schedule_names()) {
    EXPECT_DOUBLE_EQ(seconds(world, name, named), seconds(world, name, plain)) << name;
    EXPECT_GT(seconds(world, name, named), seconds(world, name, prices)) << name;
  }
}

TEST(LevelPrices, that_are_those_of_the_next_level_change_nothing) {
  const World world("island:2 switch:2 node:2 numa:1 core:2", "kd-tree");
  const LevelCosts usual{{1e-7, 1e-10, 3e-7}, {1e-6, 2e-10, 2e-6}};
  const LevelCosts named = with_levels(usual, {{"island", usual.between_nodes},
                                               {"switch", usual.between_nodes},
                                               {"numa", usual.on_node},
                                               {"gpu", {1, 1, 1}}});
  for (const std::string& name : schedule_names())
    EXPECT_DOUBLE_EQ(seconds(world, name, named), seconds(world, name, usual)) << name;
}

TEST(LevelPrices, of_a_switch_decide_how_blocks_are_sent) {
  // Eight small messages of each process to its neighbours on other nodes: one to each node is better while
  // they are dear.
  const Problem problem = problem_of("64x64", "moore:1", "switch:1 node:4 core:16");
  const LevelCosts dear{{1e-8, 1e-11, 1e-8}, {1e-4, 1e-11, 1e-7}};
  const LevelCosts near = with_levels(dear, {{"switch", {1e-9, 1e-11, 1e-7}}});
  EXPECT_NE(make_plan(problem, with(dear)).schedule, "direct");
  EXPECT_EQ(make_plan(problem, with(near)).schedule, "direct");
}

TEST(LevelPrices, are_finite_and_not_negative) {
  const Problem problem = problem_of("64x64", "moore:1", "node:4 core:16");
  const LevelCosts wrong = with_levels(prices, {{"numa", {-1, 0}}});
  expect_error(
      Fault::invalid_argument, [&] { (void)make_plan(problem, with(wrong)); }, "-1");
  expect_error(
      Fault::invalid_argument, [&] { (void)default_plan(problem, wrong); }, "-1");
}

}  // namespace
}  // namespace halocline::plan::level_prices_tests
