#include "place/algorithms.hpp"
#include "place/cost/cost.hpp"
#include "place/optimal_strips/node_line.hpp"
#include "place/optimal_strips/slanted_rows.hpp"
#include "place/optimal_strips/strip_planner.hpp"
#include "place/simple/ideal_box.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halocline::place {
namespace {

TEST(Strips, rows_may_climb) {
  for (const Counts& widths : {Counts{5}, Counts{1}, Counts{2, 3}, Counts{3, 2, 2}})
    for (const Count quarters : {0, 1, 2, 4, 7})
      for (const Count length : {1, 2, 9}) {
        const Counts slope(widths.size(), quarters);
        const SlantedRows rows(widths, slope, length);
        const Count section = std::accumulate(widths.begin(), widths.end(), Count{1}, std::multiplies<>());
        Count previous_row = -1000;
        for (Count position = 0; position < length * section; ++position) {
          const SlantedRows::Place place = rows.place(position);
          ASSERT_TRUE(0 <= place.along && place.along < length && 0 <= place.column &&
                      place.column < section);
          ASSERT_EQ(rows.position(place), position);
          const Count row = place.along - row_shift(widths, slope, place.column);
          ASSERT_GE(row, previous_row);
          previous_row = row;
        }
      }
}

TEST(Strips, the_ideal_box_follows_the_stencil) {
  const std::vector<double> square = ideal_box(std::vector<double>{1, 1}, Counts{100, 100}, 49);
  EXPECT_NEAR(square[0], 7, 1e-9);
  const std::vector<double> hops = ideal_box(std::vector<double>{12, 2}, Counts{100, 100}, 48);
  EXPECT_NEAR(hops[0] / hops[1], 6, 1e-9);
  const std::vector<double> component = ideal_box(std::vector<double>{2, 0}, Counts{100, 100}, 48);
  EXPECT_NEAR(component[0], 48, 1e-9);
  EXPECT_NEAR(component[1], 1, 1e-9);
  const std::vector<double> narrow = ideal_box(std::vector<double>{1, 1}, Counts{3, 100}, 48);
  EXPECT_NEAR(narrow[0], 3, 1e-9);
  EXPECT_NEAR(narrow[1], 16, 1e-9);
}

TEST(Strips, the_model_is_exact_where_it_says_so) {
  int exact = 0;
  for_each_random_problem(150, [&](const Problem& problem) {
    const Grid& grid = problem.grid();
    const Steps steps = normalized_steps(grid, problem.stencil());
    std::vector<std::size_t> order(grid.dimensions());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const Runs& sizes = problem.machine().node_sizes();
    for (const NodeLine& line : {NodeLine::in_rank_order(sizes), NodeLine::largest_first(sizes)}) {
      StripPlanner planner(problem, steps, line.sizes(), order, {1.6, 4});
      const PlannedStrips planned = planner.plan(
          {std::vector<Fill>(order.size() - 1, Fill::as_walked), Counts(order.size() - 1, 0)}, line);
      if (!planned.exact) continue;
      ++exact;
      const Placement placement(grid, std::make_shared<StripWalk>(grid, planned.plan, line));
      ASSERT_EQ(static_cast<double>(node_cost(problem, placement).total.bytes), planned.cost)
          << text(problem);
    }
  });
  EXPECT_GE(exact, 20);
}

TEST(Strips, nodes_keep_their_sizes_in_any_order) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20; ++i) {
    const Runs sizes = random_sizes(200, 17, random);
    for (const NodeLine& line :
         {NodeLine::in_rank_order(sizes), NodeLine::largest_first(sizes), NodeLine::interleaved(sizes)}) {
      Count nodes = 0;
      for (Count position = 0; position < 200; position = line.node_at(position).end) {
        const auto [begin, end] = line.node_at(position);
        const Count node = sizes.find(line.rank(begin));
        ASSERT_EQ(begin, position);
        ASSERT_EQ(sizes[node], end - begin);
        for (Count cell = begin; cell < end; ++cell) {
          ASSERT_EQ(line.position(line.rank(cell)), cell);
          ASSERT_EQ(line.rank(cell), sizes.start(node) + cell - begin);
        }
        ++nodes;
      }
      ASSERT_EQ(nodes, sizes.size());
    }
  }
}

TEST(Strips, the_largest_nodes_come_first_or_by_turns) {
  const Runs sizes = Runs::parse("2x3,5,4");
  const auto walked = [](const NodeLine& line) {
    Counts result;
    for (Count position = 0; position < 15; position = line.node_at(position).end)
      result.push_back(line.node_at(position).end - position);
    return result;
  };
  EXPECT_EQ(walked(NodeLine::in_rank_order(sizes)), (Counts{3, 3, 5, 4}));
  EXPECT_EQ(walked(NodeLine::largest_first(sizes)), (Counts{5, 4, 3, 3}));
  EXPECT_EQ(walked(NodeLine::interleaved(sizes)), (Counts{5, 3, 4, 3}));
}

}  // namespace
}  // namespace halocline::place
