#include "plan/traced/order_choice.hpp"

#include "expect_error.hpp"
#include "place/cost/preference.hpp"
#include "plan/traffic_of_grids.hpp"

#include <map>
#include <set>

namespace halocline::plan {
namespace {

/// Nodes of random sizes that take so many processes.
Runs random_nodes(Count processes, std::mt19937_64& random) {
  Counts sizes;
  for (Count left = processes; left > 0; left -= sizes.back())
    sizes.push_back(std::min<Count>(left, 1 + to_count(random() % 12)));
  return Runs(sizes);
}

TEST(MatrixCost, is_what_crosses_between_groups) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    const Count ranks = 2 + to_count(random() % 40);
    Entries entries;
    for (int i = 0; i < 200; ++i)
      entries.push_back({to_count(random() % to_size(ranks)), to_count(random() % to_size(ranks)),
                         to_count(random() % 100)});
    const MessageMatrix matrix(ranks, entries);
    const Machine machine = Machine::of_nodes(random_nodes(ranks, random));
    Numbering numbers = shuffled(Grid({ranks}), random);
    const place::Order order(machine.node_sizes(), numbers);
    const std::vector<Rank> position = order.positions();
    Count between = 0;
    std::map<Count, Count> in, out;
    for (const auto& [source, target, bytes, messages] : entries) {
      const Count from = machine.node_of(position[to_size(source)]),
                  to = machine.node_of(position[to_size(target)]);
      if (from == to) continue;
      between += bytes;
      out[from] += bytes;
      in[to] += bytes;
    }
    const auto most = [](const std::map<Count, Count>& sums) {
      Count largest = 0;
      for (const auto& [node, sum] : sums) largest = std::max(largest, sum);
      return largest;
    };
    const MatrixCost cost = matrix_cost(matrix, machine, position);
    EXPECT_EQ(cost.node(), (MatrixLevelCost{"node", between, most(in), most(out)})) << "seed " << seed;
    EXPECT_EQ(cost_of_nodes(matrix, nodes_of_ranks(order)).bytes, between);
  }
}

TEST(OrderChoice, a_grid_is_placed) {
  std::mt19937_64 random(3);
  const Grid grid({8, 8, 8});
  for (const Numbering& ranks : {row_by_row(grid), along_z(grid), shuffled(grid, random)}) {
    const MessageMatrix matrix(grid.size(), traffic(grid, Stencil::moore(3, 1), ranks));
    const OrderChoice choice = choose_order({matrix, Machine::of_nodes(Runs::of(16, 32))});
    ASSERT_TRUE(choice.pattern);
    const place::Problem problem(choice.pattern->grid, choice.pattern->stencil,
                                 Machine::of_nodes(Runs::of(16, 32)));
    EXPECT_LE(choice.after.cost.node().bytes, place::best(problem).j_sum);  // the mapper may find less
  }
}

TEST(OrderChoice, what_is_good_already_stays) {
  const Grid grid({4, 4});
  // Each node has a box of 2 x 2 already.
  const MessageMatrix boxes(16, traffic(grid, Stencil::nearest(2), box_by_box(grid, {2, 2})));
  const OrderChoice choice = choose_order({boxes, Machine::of_nodes(Runs::of(4, 4))});
  EXPECT_EQ(choice.pattern->numbering, "Morton order");
  EXPECT_FALSE(choice.gains());
  EXPECT_EQ(choice.after.by, "default");
  EXPECT_EQ(choice.after.order, choice.before.order);
  EXPECT_FALSE(choose_order({boxes, Machine::of_nodes(Runs::of(1, 16))}).gains());
}

TEST(OrderChoice, is_never_worse_than_the_default) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    const Grid grid({2 + to_count(random() % 8), 2 + to_count(random() % 8)});
    Entries entries =
        traffic(grid, Stencil::nearest(2), random() % 2 == 0 ? row_by_row(grid) : shuffled(grid, random));
    for (int i = 0; i < 10; ++i)
      entries.push_back(
          {to_count(random() % to_size(grid.size())), to_count(random() % to_size(grid.size())), 1});
    const MessageMatrix matrix(grid.size(), entries);
    const OrderChoice choice = choose_order({matrix, Machine::of_nodes(random_nodes(grid.size(), random))});
    EXPECT_LE(choice.after.cost.node().bytes, place::acceptable(choice.before.cost.node().bytes))
        << "seed " << seed;
    EXPECT_EQ(choice.gains(), is_better(choice.after.cost, choice.before.cost)) << "seed " << seed;
    EXPECT_FALSE(is_better(choice.before.cost, choice.after.cost)) << "seed " << seed;
  }
}

TEST(OrderChoice, any_other_graph_is_mapped) {
  // Four circles of friends, whose numbers are mixed.
  std::mt19937_64 random(11);
  const Numbering ranks = shuffled(Grid({48}), random);
  Entries entries;
  for (Rank a = 0; a < 48; ++a)
    for (int i = 0; i < 6; ++i) {
      const Rank friend_of_a = a / 12 * 12 + to_count(random() % 12);
      entries.push_back({ranks[to_size(a)], ranks[to_size(friend_of_a)], 100 + to_count(random() % 50)});
    }
  const MessageMatrix matrix(48, entries);
  const OrderChoice choice = choose_order({matrix, Machine::of_nodes(Runs::of(4, 12))});
  EXPECT_FALSE(choice.pattern);
  EXPECT_EQ(choice.after.by, "graph");
  EXPECT_GT(choice.before.cost.node().bytes, 0);
  EXPECT_EQ(choice.after.cost.node().bytes, 0);
}

TEST(OrderChoice, a_network_counts) {
  // A chain of 12 nodes, numbered so that neighbours are far apart.
  const Network ring = Network::torus({12});
  const Allocation scattered(ring, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  const Grid line({48});
  const MessageMatrix matrix(48, traffic(line, Stencil::nearest(1), row_by_row(line)));
  const OrderChoice choice = choose_order({matrix, Machine::of_nodes(Runs::of(12, 4)), scattered});
  EXPECT_TRUE(choice.gains());
  EXPECT_EQ(choice.after.cost.node().bytes, choice.before.cost.node().bytes);
  EXPECT_EQ(choice.after.cost.on_network->weighted_hops, 22);
}

TEST(OrderChoice, refuses_what_does_not_fit) {
  const MessageMatrix matrix(4, {{0, 1, 8}});
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)choose_order({matrix, Machine::of_nodes(Runs::of(1, 5))});
      },
      "5 processes");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)choose_order(
            {matrix, Machine::of_nodes(Runs::of(2, 2)), Allocation(Network::torus({4}), {0, 1, 2})});
      },
      "3 nodes");
  expect_error(
      Fault::invalid_argument,
      [] {
        (void)MessageMatrix(4, {{0, 4, 8}});
      },
      "rank 4");
  expect_error(
      Fault::invalid_argument, [] { (void)MessageMatrix(0, {}); }, "0 ranks");
}

}  // namespace
}  // namespace halocline::plan
