#include "place/graph/map_graph.hpp"

#include "expect_error.hpp"
#include "graphs.hpp"
#include "place/order.hpp"
#include "tried.hpp"

#include <limits>

namespace halocline::place {
namespace {

/// Few steps: what is right must be so with any.
constexpr double little = 0.02;

std::vector<Message> random_pattern(Count ranks, std::mt19937_64& random) {
  switch (random() % 5) {
    case 0:
      return random_messages(ranks, static_cast<std::size_t>(ranks) * (1 + random() % 6), 100, random);
    case 1: {  // a star
      std::vector<Message> star;
      for (Rank rank = 1; rank < ranks; ++rank) star.push_back({0, rank, 1 + rank % 3});
      return star;
    }
    case 2: {  // a tree
      std::vector<Message> tree;
      for (Rank rank = 1; rank < ranks; ++rank) tree.push_back({rank, (rank - 1) / 2, 1});
      return tree;
    }
    case 3:  // mostly alone
      return random_messages(ranks, static_cast<std::size_t>(ranks) / 4, 5, random);
    default: {
      const Count columns = 1 + static_cast<Count>(random() % 12);
      return renumbered(grid_messages(ranks / columns, columns, 1 + static_cast<Count>(random() % 9)), ranks,
                        random());
    }
  }
}

TEST(MapGraph, every_group_is_full_and_nothing_gets_worse) {
  std::mt19937_64 random(2026);
  for (int trial = 0; trial < tried(100); ++trial) {
    SCOPED_TRACE(trial);
    const Count ranks = 1 + static_cast<Count>(random() % 160);
    const Runs nodes = random_sizes(ranks, 1 + static_cast<Count>(random() % 40), random);
    const std::vector<Message> messages = random_pattern(ranks, random);
    const MessageGraph graph(ranks, messages);
    const Machine machine = Machine::of_nodes(nodes);
    const GraphMapping mapping = map_graph(graph, machine, {random(), little});
    // The order refuses what is no permutation.
    const Order order(nodes, ranks_by_position(mapping));
    EXPECT_EQ(order.positions(), mapping.seats);
    EXPECT_EQ(mapping.cost, cost_of(graph, machine, mapping.seats));
    EXPECT_EQ(mapping.cost.node().crossing, crossing(messages, nodes, mapping.seats));
    EXPECT_LE(mapping.cost.node().crossing, crossing(messages, nodes, seats_in_order(ranks)));
  }
}

TEST(MapGraph, is_the_same_for_a_seed) {
  const MessageGraph graph(120, renumbered(grid_messages(12, 10), 120, 3));
  const Machine machine = Machine::parse("nodes:7x13,29");
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    EXPECT_EQ(map_graph(graph, machine, {seed, little}).seats,
              map_graph(graph, machine, {seed, little}).seats);
}

/// The least that crosses, of all ways to fill the nodes.
Count least_crossing(const std::vector<Message>& messages, const Runs& nodes) {
  std::vector<Rank> seats = seats_in_order(nodes.total());
  std::vector<Count> node_of;
  for (const Rank seat : seats) node_of.push_back(nodes.find(seat));
  Count least = std::numeric_limits<Count>::max();
  do {
    Count sum = 0;
    for (const Message& m : messages)
      if (node_of[static_cast<std::size_t>(m.source)] != node_of[static_cast<std::size_t>(m.target)])
        sum += m.bytes;
    least = std::min(least, sum);
  } while (std::next_permutation(node_of.begin(), node_of.end()));
  return least;
}

TEST(MapGraph, finds_the_optimum_of_small_graphs) {
  std::mt19937_64 random(5);
  int misses = 0;
  for (int trial = 0; trial < tried(120); ++trial) {
    const Count ranks = 2 + static_cast<Count>(random() % 7);
    const Runs nodes = random_sizes(ranks, 1 + static_cast<Count>(random() % 5), random);
    const std::vector<Message> messages =
        random_messages(ranks, static_cast<std::size_t>(ranks) * (1 + random() % 3), 9, random);
    const GraphMapping found =
        map_graph(MessageGraph(ranks, messages), Machine::of_nodes(nodes), {0, little});
    const Count least = least_crossing(messages, nodes);
    ASSERT_GE(found.cost.node().crossing, least);
    if (found.cost.node().crossing > least) ++misses;
  }
  EXPECT_EQ(misses, 0);
}

TEST(MapGraph, finds_the_boxes_of_grids) {
  const auto crosses = [](Count rows, Count columns, const char* nodes) {
    return mapped_crossing(renumbered(grid_messages(rows, columns), rows * columns, 1),
                           Machine::parse(nodes));
  };
  EXPECT_EQ(crosses(8, 8, "nodes:4x16"), 16);
  EXPECT_EQ(crosses(16, 16, "nodes:16x16"), 96);
  EXPECT_EQ(crosses(1, 97, "nodes:4x20,17"), 4);
  EXPECT_LE(crosses(12, 12, "nodes:9x16"), 50);    // 48 by boxes
  EXPECT_LE(crosses(50, 48, "nodes:50x48"), 690);  // at least 602
}

TEST(MapGraph, keeps_apart_what_has_nothing_in_common) {
  // Three rings of 7, 11 and 13 ranks.
  std::vector<Message> rings;
  Rank first = 0;
  for (const Count size : {7, 11, 13}) {
    for (Count i = 0; i < size; ++i) rings.push_back({first + i, first + (i + 1) % size, 10});
    first += size;
  }
  EXPECT_EQ(mapped_crossing(renumbered(rings, 31, 9), Machine::parse("nodes:13,7,11")), 0);
}

TEST(MapGraph, goes_on_inside_nodes_and_around_them) {
  const std::vector<Message> messages = renumbered(grid_messages(16, 16), 256, 2);
  const Machine machine = Machine::parse("switch:2 node:4 numa:2 core:16");
  const GraphCost cost = map_graph(MessageGraph(256, messages), machine, {.effort = 0.2}).cost;
  EXPECT_EQ(cost.levels[0].crossing, 16);
  EXPECT_LE(cost.levels[1].crossing, 66);   // 64 by boxes of 8 x 4
  EXPECT_LE(cost.levels[2].crossing, 100);  // 96 by boxes of 4 x 4
}

TEST(MapGraph, bytes_beyond_32_bits_decide) {
  // Two heavy pairs, and many light bytes that would outweigh them if high bits were lost.
  const Count heavy = Count{5} << 40U;
  const std::vector<Message> messages{{0, 3, heavy}, {1, 2, heavy}, {0, 1, 4000000000}, {2, 3, 4000000000}};
  EXPECT_EQ(mapped_crossing(messages, Machine::parse("nodes:2,2")), 8000000000);
  const std::vector<Message> most{{0, 3, Count{1} << 61U}, {1, 2, Count{1} << 61U}, {0, 1, Count{1} << 60U}};
  EXPECT_EQ(mapped_crossing(most, Machine::parse("nodes:2,2")), Count{1} << 60U);
}

TEST(MapGraph, prices_say_what_matters) {
  std::mt19937_64 random(8);
  const MessageGraph graph(48, random_messages(48, 200, 50, random));
  const Machine machine = Machine::parse("node:3 numa:4 core:4");
  for (const LevelWeights& prices : {LevelWeights{1, 0, 0}, LevelWeights{0, 1, 0}, LevelWeights{5, 3, 1}}) {
    const Wide now = priced(map_graph(graph, machine, {1, little, prices}).cost, prices);
    EXPECT_TRUE(now <= priced(cost_of(graph, machine, seats_in_order(48)), prices));
  }
}

TEST(MapGraph, nothing_to_do_is_done_in_order) {
  EXPECT_EQ(map_graph(MessageGraph(6, {}), Machine::parse("nodes:3,3")).seats, seats_in_order(6));
  const std::vector<Message> ring{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
  EXPECT_EQ(map_graph(MessageGraph(3, ring), Machine::parse("nodes:1,1,1")).seats, seats_in_order(3));
  EXPECT_EQ(map_graph(MessageGraph(3, ring), Machine::parse("nodes:3")).seats, seats_in_order(3));
  expect_error(
      Fault::invalid_argument, [&] { (void)map_graph(MessageGraph(3, ring), Machine::parse("nodes:4")); },
      "3 ranks", "of 4");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)map_graph(MessageGraph(3, ring), Machine::parse("nodes:2,1"), {0, 1, {1, 2, 3}});
      },
      "3 prices");
  expect_error(
      Fault::invalid_argument,
      [&] { (void)map_graph(MessageGraph(3, ring), Machine::parse("nodes:2,1"), {.effort = -1}); },
      "effort of -1");
}

}  // namespace
}  // namespace halocline::place
