#include "plan/traced/order_time.hpp"

#include "plan/traffic_of_grids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace halocline::plan {
namespace {

LevelCosts three_prices() {
  LevelCosts costs{{1e-6, 1e-9, 5e-6}, {20e-6, 4e-9, 9e-6}};
  costs.levels.set("numa", {0.5e-6, 0.5e-9});
  return costs;
}

/// The slow way: each node, each of its processes, each message.
double expected_time(const Entries& entries, const Machine& machine, const std::vector<Rank>& positions) {
  const LevelCosts costs = three_prices();
  const schedule::LinearCost near = *costs.levels.find("numa");
  double longest = 0;
  for (Count node = 0; node < machine.nodes(); ++node) {
    double busiest = 0, way_out = 0;
    for (std::size_t rank = 0; rank < positions.size(); ++rank) {
      if (machine.node_of(positions[rank]) != node) continue;
      double busy = 0;
      for (const auto& [source, target, bytes, messages] : entries) {
        if (source != static_cast<Rank>(rank) || target == source || bytes == 0) continue;
        const Rank from = positions[rank], to = positions[static_cast<std::size_t>(target)];
        const auto amount = static_cast<double>(bytes);
        if (machine.node_of(from) != machine.node_of(to)) {
          busy += static_cast<double>(messages) * costs.between_nodes.round_seconds;
          way_out += amount * costs.between_nodes.byte_seconds;
          continue;
        }
        const schedule::LinearCost& cost = from / 2 == to / 2 ? near : costs.on_node;
        busy += static_cast<double>(messages) * cost.round_seconds + amount * cost.byte_seconds;
      }
      busiest = std::max(busiest, busy);
    }
    longest = std::max(longest, busiest + way_out);
  }
  return longest;
}

TEST(OrderTime, is_that_of_the_node_which_takes_longest) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    const Count nodes = 1 + static_cast<Count>(random() % 6), ranks = 4 * nodes;
    const Machine machine = Machine::parse("node:" + std::to_string(nodes) + " numa:2 core:2");
    Entries entries;
    for (int i = 0; i < 100; ++i)
      entries.push_back({static_cast<Rank>(random() % static_cast<std::uint64_t>(ranks)),
                         static_cast<Rank>(random() % static_cast<std::uint64_t>(ranks)),
                         static_cast<Count>(random() % 100000), static_cast<Count>(1 + random() % 9)});
    std::vector<Rank> numbers(static_cast<std::size_t>(ranks));
    std::iota(numbers.begin(), numbers.end(), Rank{0});
    std::shuffle(numbers.begin(), numbers.end(), random);
    const place::Order order(machine.node_sizes(), numbers);
    const double found =
        order_time(MessageMatrix(ranks, entries), machine, order, three_prices()).seconds.total();
    EXPECT_NEAR(found, expected_time(entries, machine, order.positions()), 1e-12) << "seed " << seed;
  }
}

TEST(OrderTime, the_first_of_the_slowest_nodes_is_named) {
  const Machine machine = Machine::of_nodes(Runs(Counts{1, 1, 2}));
  const place::Order order(machine.node_sizes(), {0, 1, 2, 3});
  const MessageMatrix matrix(4, {{0, 1, 8, 1}, {1, 2, 800, 4}, {3, 0, 800, 4}});
  const OrderTime time = order_time(matrix, machine, order, three_prices());
  EXPECT_EQ(time.node, 1);
  EXPECT_DOUBLE_EQ(time.seconds.network_messages, 4 * 20e-6);
  EXPECT_DOUBLE_EQ(time.seconds.network_bytes, 800 * 4e-9);
  EXPECT_DOUBLE_EQ(time.seconds.node_messages + time.seconds.node_bytes + time.seconds.under_way, 0);
}

}  // namespace
}  // namespace halocline::plan
