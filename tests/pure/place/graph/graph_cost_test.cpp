#include "place/graph/graph_cost.hpp"

#include "expect_error.hpp"
#include "graphs.hpp"

namespace halocline::place {
namespace {

TEST(GraphCost, agrees_with_a_loop_over_messages) {
  std::mt19937_64 random(11);
  const std::vector<Machine> machines{Machine::parse("node:4 core:3"), Machine::parse("node:2 numa:2 core:3"),
                                      Machine::parse("nodes:5,4,3"),
                                      Machine::parse("switch:2 node:2,1 core:4,4,4")};
  for (int trial = 0; trial < 40; ++trial)
    for (const Machine& machine : machines) {
      const std::vector<Message> messages = random_messages(12, random() % 100, Count{1} << 40U, random);
      std::vector<Rank> seats = seats_in_order(12);
      std::shuffle(seats.begin(), seats.end(), random);
      const GraphCost cost = cost_of(MessageGraph(12, messages), machine, seats);
      ASSERT_EQ(cost.levels.size(), machine.levels().size());
      for (std::size_t level = 0; level < cost.levels.size(); ++level) {
        EXPECT_EQ(cost.levels[level].name, machine.levels()[level].name);
        EXPECT_EQ(cost.levels[level].crossing, crossing(messages, machine.sizes(level), seats));
      }
    }
}

TEST(GraphCost, the_busiest_group_counts_both_ways) {
  const std::vector<Message> star{{0, 1, 3}, {2, 0, 4}, {0, 3, 5}, {4, 5, 2}};
  const GraphCost cost = cost_of(MessageGraph(6, star), Machine::parse("nodes:2,2,2"), seats_in_order(6));
  EXPECT_EQ(cost.node().crossing, 9);
  EXPECT_EQ(cost.node().busiest, 9);  // what leaves the node of ranks 0 and 1
}

TEST(GraphCost, prices_add_up_without_overflow) {
  const Machine machine = Machine::parse("node:2 numa:2 core:2");
  EXPECT_EQ(usual_weights(machine), (LevelWeights{1000, 33, 1}));
  const Count many = Count{1} << 61U;
  const GraphCost cost =
      cost_of(MessageGraph(8, std::vector<Message>{{0, 7, many}}), machine, seats_in_order(8));
  EXPECT_EQ(priced(cost, {1000, 33, 1}) / 1034, Wide{many});
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)priced(cost, {1, 2});
      },
      "2 prices for 3 levels");
}

TEST(GraphCost, refuses_seats_that_are_no_permutation) {
  const MessageGraph graph(4, std::vector<Message>{{0, 1, 1}});
  const Machine machine = Machine::parse("nodes:2,2");
  const auto refuses = [&](const std::vector<Rank>& seats, const char* words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)cost_of(graph, machine, seats); }, words);
  };
  refuses({0, 1, 2}, "3 seats for 4 ranks");
  refuses({0, 1, 2, 4}, "seat 4 of 4");
  refuses({0, 1, 2, 2}, "seat 2 comes twice");
  expect_error(
      Fault::invalid_argument, [&] { (void)cost_of(graph, Machine::parse("nodes:3,2"), seats_in_order(4)); },
      "4 ranks", "of 5");
}

}  // namespace
}  // namespace halocline::place
