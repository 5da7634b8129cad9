#include "place/cost/cost.hpp"

#include "place/algorithms.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halocline::place {
namespace {

/// The definition, message by message.
Cost counted(const Problem& problem, const Placement& placement) {
  const Machine& machine = problem.machine();
  Cost cost;
  cost.node_level = machine.node_level();
  for (std::size_t level = 0; level < machine.levels().size(); ++level) {
    std::vector<Traffic> by_group(static_cast<std::size_t>(machine.sizes(level).size()));
    LevelCost result{machine.levels()[level].name, {}, {}, {}};
    for (Count index = 0; index < problem.grid().size(); ++index) {
      const Cell cell = problem.grid().cell(index);
      const Count group = machine.sizes(level).find(placement.rank(cell));
      for (std::size_t i = 0; i < problem.stencil().size(); ++i) {
        const auto neighbour = problem.grid().neighbor(cell, problem.stencil().offsets()[i]);
        if (!neighbour || machine.sizes(level).find(placement.rank(*neighbour)) == group) continue;
        by_group[static_cast<std::size_t>(group)] += {1, problem.stencil().weights()[i]};
      }
    }
    for (const Traffic& traffic : by_group) {
      result.total += traffic;
      result.largest.messages = std::max(result.largest.messages, traffic.messages);
      result.largest.bytes = std::max(result.largest.bytes, traffic.bytes);
    }
    if (machine.sizes(level).size() < machine.ranks()) result.by_group = by_group;
    cost.levels.push_back(result);
  }
  return cost;
}

TEST(Cost, is_what_counting_gives_on_small_grids) {
  for_each_small_problem(4, [](const Problem& problem) {
    for (const std::string name : {"blocked", "random", "optimal-strips"}) {
      const Placement placement = algorithm(name).place(problem);
      ASSERT_EQ(cost(problem, placement), counted(problem, placement)) << name << ": " << text(problem);
    }
  });
}

TEST(Cost, is_what_counting_gives_on_random_grids) {
  for_each_random_problem(60, [](const Problem& problem) {
    const Placement placement = algorithm("random").place(problem);
    const Cost whole = cost(problem, placement);
    ASSERT_EQ(whole, counted(problem, placement)) << text(problem);
    ASSERT_EQ(whole.node(), node_cost(problem, placement)) << text(problem);
  });
}

TEST(Cost, parts_add_up) {
  for_each_random_problem(40, [](const Problem& problem) {
    const Placement placement = algorithm("kd-tree").place(problem);
    const Count cells = problem.grid().size();
    Cost sum = cost(problem, placement, 0, cells / 3);
    sum.merge(cost(problem, placement, cells / 3, cells / 3));
    sum.merge(cost(problem, placement, cells / 3, cells - cells / 4));
    sum.merge(cost(problem, placement, cells - cells / 4, cells));
    ASSERT_EQ(sum, cost(problem, placement)) << text(problem);
  });
}

TEST(Cost, counts_every_level) {
  const Grid grid({4, 4});
  const Problem problem(grid, Stencil::nearest(2), Machine::parse("rack:2 node:2 numa:2 core:2"));
  const Cost result = cost(problem, algorithm("blocked").place(problem));
  ASSERT_EQ(result.levels.size(), 4U);
  EXPECT_EQ(result.levels[0].total.messages, 8);   // one border of four, both ways
  EXPECT_EQ(result.j_sum(), 24);                   // three such borders
  EXPECT_EQ(result.levels[2].total.messages, 32);  // and one message each way in the middle of each row
  EXPECT_EQ(result.levels[3].total.messages, 48);  // all of them
  EXPECT_EQ(result.levels[3].largest.messages, 4);
}

/// Weights past 31 bits are added up in wide words, which must not change a thing but the weights.
TEST(Cost, is_the_same_in_wide_words) {
  constexpr Count heavy = Count{1} << 33;
  for_each_random_problem(40, [](const Problem& problem) {
    Counts weights = problem.stencil().weights();
    for (Count& weight : weights) weight *= heavy;
    const Problem wide(problem.grid(), Stencil(problem.stencil().offsets(), weights), problem.machine());
    const Placement placement = algorithm("random").place(problem);
    const LevelCost expected = node_cost(problem, placement), found = node_cost(wide, placement);
    ASSERT_EQ(found.total.messages, expected.total.messages) << text(problem);
    ASSERT_EQ(found.total.bytes, expected.total.bytes * heavy) << text(problem);
    ASSERT_EQ(found.largest.bytes, expected.largest.bytes * heavy) << text(problem);
  });
}

TEST(Cost, messages_to_oneself_cost_nothing) {
  const Problem one(Grid({1, 3}, {true, false}), Stencil::nearest(2), Machine::of_nodes(Runs::of(3, 1)));
  EXPECT_EQ(cost(one, algorithm("blocked").place(one)).j_sum(), 4);
  const Problem two(Grid({2, 1}, {true, true}), Stencil::nearest(2), Machine::of_nodes(Runs::of(2, 1)));
  EXPECT_EQ(cost(two, algorithm("blocked").place(two)).j_sum(), 4);  // both ways around, from both
}

TEST(Cost, refuses_other_grids_and_overflow) {
  const Problem problem = make_problem("4x4", "4x4", "nearest");
  const Problem other = make_problem("2x8", "4x4", "nearest");
  EXPECT_THROW((void)cost(problem, algorithm("blocked").place(other)), Error);
  EXPECT_THROW((void)cost(problem, algorithm("blocked").place(problem), 3, 17), Error);
  const Problem heavy(Grid({4, 4}), Stencil({{0, 1}}, {Count{1} << 61}), Machine::of_nodes(Runs::of(4, 4)));
  EXPECT_THROW((void)cost(heavy, algorithm("blocked").place(heavy)), Error);
}

}  // namespace
}  // namespace halocline::place
