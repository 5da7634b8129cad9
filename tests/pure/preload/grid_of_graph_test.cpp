#include "preload/placement/grid_of_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace halocline::preload {
namespace {

/// The graph of a stencil on a grid, the targets of each vertex in any order.
TaskGraph graph_of(const Grid& grid, const Stencil& stencil, unsigned seed = 1) {
  std::mt19937 random(seed);
  TaskGraph graph;
  graph.starts.push_back(0);
  for (Count v = 0; v < grid.size(); ++v) {
    std::vector<std::pair<int, Count>> edges;
    for (std::size_t i = 0; i < stencil.size(); ++i)
      if (const auto to = grid.neighbor(grid.cell(v), stencil.offsets()[i]))
        edges.emplace_back(static_cast<int>(grid.index(*to)), stencil.weights()[i]);
    std::shuffle(edges.begin(), edges.end(), random);
    for (const auto& [to, weight] : edges) {
      graph.targets.push_back(to);
      graph.weights.push_back(weight);
    }
    graph.starts.push_back(graph.targets.size());
  }
  return graph;
}

std::vector<std::vector<int>> sorted_targets(const TaskGraph& graph) {
  std::vector<std::vector<int>> all;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    all.emplace_back(graph.targets_of(v).begin(), graph.targets_of(v).end());
    std::sort(all.back().begin(), all.back().end());
  }
  return all;
}

/// Whatever grid is found, it must have exactly the edges of the graph.
void expect_found(const Grid& grid, const Stencil& stencil) {
  SCOPED_TRACE(grid.to_text() + ", " + stencil.to_text());
  const TaskGraph graph = graph_of(grid, stencil);
  if (graph.targets.empty()) return;
  const auto found = grid_of(graph);
  ASSERT_TRUE(found);
  EXPECT_EQ(sorted_targets(graph_of(found->grid, found->stencil)), sorted_targets(graph));
}

TEST(GridOfGraph, finds_every_small_grid) {
  for (Count a = 1; a <= 5; ++a)
    for (Count b = 1; b <= 4; ++b)
      for (Count c = 1; c <= 3; ++c)
        for (unsigned mask = 0; mask < 8; ++mask) {
          if (a * b * c < 2) continue;
          const Grid grid({a, b, c}, periodic(mask & 1U, mask >> 1U & 1U, mask >> 2U));
          for (const char* const stencil : {"nearest", "moore:1", "star:2", "octant:1", "0,1,1;1,0,-1"})
            expect_found(grid, Stencil::parse(stencil, 3));
        }
}

TEST(GridOfGraph, finds_large_ones_and_primes) {
  expect_found(Grid({50, 48}), Stencil::nearest(2));
  expect_found(Grid({12, 15, 16}, periodic(1, 0, 1)), Stencil::moore(3, 1));
  expect_found(Grid({4, 6, 5, 3}, periodic(0, 1, 0, 1)), Stencil::nearest(4));
  expect_found(Grid({997}, periodic(1)), Stencil::star(1, 3));
}

TEST(GridOfGraph, names_the_grid_and_the_mean_weights) {
  const auto found = grid_of(graph_of(Grid({6, 8}, periodic(1, 0)), Stencil::parse("0,1*7;1,0*3", 2)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->grid, Grid({6, 8}, periodic(1, 0)));
  EXPECT_EQ(found->stencil, Stencil::parse("0,1*7;1,0*3", 2));
}

TEST(GridOfGraph, refuses_a_grid_with_any_edge_bent) {
  std::mt19937 random(7);
  const Grid grid({6, 7}, periodic(0, 1));
  const TaskGraph graph = graph_of(grid, Stencil::nearest(2));
  for (std::size_t edge = 0; edge < graph.targets.size(); ++edge) {
    TaskGraph bent = graph;
    bent.targets[edge] =
        static_cast<int>((static_cast<unsigned>(bent.targets[edge]) + 1 + random() % 41) % 42);
    EXPECT_FALSE(grid_of(bent)) << "edge " << edge << " to " << bent.targets[edge];
  }
}

TEST(GridOfGraph, refuses_a_grid_with_any_edge_missing) {
  const TaskGraph graph = graph_of(Grid({4, 5}), Stencil::nearest(2));
  for (std::size_t edge = 0; edge < graph.targets.size(); ++edge) {
    TaskGraph less = graph;
    less.targets.erase(less.targets.begin() + static_cast<std::ptrdiff_t>(edge));
    less.weights.pop_back();
    for (std::size_t& start : less.starts)
      if (start > edge) --start;
    EXPECT_FALSE(grid_of(less)) << "edge " << edge;
  }
}

TEST(TaskGraph, counts_what_crosses) {
  const TaskGraph graph{{0, 2, 3, 4}, {1, 2, 0, 2}, {5, 7, 11, 13}};  // the last one is a loop
  EXPECT_EQ(crossing(graph, Counts{0, 0, 0}), 0);
  EXPECT_EQ(crossing(graph, Counts{0, 1, 1}), 5 + 7 + 11);
  EXPECT_EQ(crossing(graph, Counts{0, 0, 1}), 7);
}

}  // namespace
}  // namespace halocline::preload
