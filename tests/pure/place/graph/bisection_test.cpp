// What the mapper is made of: coarse graphs, cuts in two, and the order in which vertices move.
#include "place/graph/bisection.hpp"

#include "place/graph/coarsening.hpp"
#include "place/graph/gain_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

namespace halocline::place {
namespace {

/// Connected or not, with weights, and with vertices of up to `largest` ranks.
WorkGraph random_graph(std::size_t vertices, std::size_t edges, Count largest, std::mt19937_64& random) {
  std::map<std::pair<Vertex, Vertex>, Count> weights;
  for (std::size_t i = 0; i < edges; ++i) {
    const auto a = static_cast<Vertex>(random() % vertices), b = static_cast<Vertex>(random() % vertices);
    if (a != b) weights[{a, b}] = weights[{b, a}] = 1 + static_cast<Count>(random() % 50);
  }
  WorkGraph graph;
  for (Vertex v = 0; v < vertices; ++v) {
    for (auto edge = weights.lower_bound({v, 0}); edge != weights.end() && edge->first.first == v; ++edge) {
      graph.targets.push_back(edge->first.second);
      graph.weights.push_back(edge->second);
    }
    graph.starts.push_back(graph.targets.size());
    graph.sizes.push_back(1 + static_cast<Count>(random() % static_cast<std::uint64_t>(largest)));
  }
  return graph;
}

Count size_of_side_0(const WorkGraph& graph, const std::vector<Side>& sides) {
  Count size = 0;
  for (std::size_t v = 0; v < sides.size(); ++v) size += sides[v] == 0 ? graph.sizes[v] : 0;
  return size;
}

TEST(GraphHeap, gives_the_largest_and_of_equals_the_latest) {
  std::mt19937_64 random(3);
  GainHeap heap(50);
  std::map<Vertex, std::pair<Count, int>> expected;
  for (int step = 0; step < 5000; ++step) {
    const auto v = static_cast<Vertex>(random() % 50);
    if (random() % 3 != 0) {
      const Count gain = static_cast<Count>(random() % 20) - 10;
      heap.put(v, gain);
      expected[v] = {gain, step};
    } else if (heap.contains(v)) {
      heap.remove(v);
      expected.erase(v);
    }
    ASSERT_EQ(heap.empty(), expected.empty());
    if (expected.empty()) continue;
    const auto most = std::max_element(expected.begin(), expected.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    ASSERT_EQ(heap.top(), most->first) << "step " << step;
    ASSERT_EQ(heap.top_gain(), most->second.first);
  }
}

TEST(GraphCoarsening, keeps_ranks_and_what_is_between_them) {
  std::mt19937_64 random(4);
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const WorkGraph fine = random_graph(2 + random() % 60, random() % 200, 4, random);
    Dice dice(trial);
    const Count largest = 8;
    const CoarserGraph coarse = coarser(fine, largest, dice);
    std::map<std::pair<Vertex, Vertex>, Count> expected, seen;
    Counts sizes(coarse.graph.vertices(), 0);
    for (Vertex v = 0; v < fine.vertices(); ++v) {
      const Vertex own = coarse.vertex_of[v];
      sizes[own] += fine.sizes[v];
      fine.for_edges(v, [&](Vertex u, Count weight) {
        if (coarse.vertex_of[u] != own) expected[{own, coarse.vertex_of[u]}] += weight;
      });
    }
    for (Vertex v = 0; v < coarse.graph.vertices(); ++v)
      coarse.graph.for_edges(v, [&](Vertex u, Count weight) {
        EXPECT_TRUE((seen.emplace(std::pair(v, u), weight).second)) << "an edge comes twice";
      });
    EXPECT_EQ(seen, expected) << "trial " << trial;
    EXPECT_EQ(coarse.graph.sizes, sizes);
    EXPECT_LE(coarse.graph.largest_size(), largest);
  }
}

TEST(GraphCoarsening, shrinks_stars_and_vertices_that_are_alone) {
  WorkGraph star;
  star.sizes.assign(200, 1);
  for (Vertex v = 1; v < 100; ++v) {  // the other 100 talk with nobody
    star.targets.push_back(v);
    star.weights.push_back(1);
  }
  star.starts.push_back(99);
  for (Vertex v = 1; v < 200; ++v) {
    if (v < 100) {
      star.targets.push_back(0);
      star.weights.push_back(1);
    }
    star.starts.push_back(star.targets.size());
  }
  Dice dice(1);
  EXPECT_LE(coarser(star, 10, dice).graph.vertices(), 102U);
}

TEST(GraphSides, know_their_cut_and_never_get_worse) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const Count largest = trial % 2 == 0 ? 1 : 5;
    const WorkGraph graph = random_graph(1 + random() % 120, random() % 400, largest, random);
    std::vector<Side> sides(graph.vertices());
    for (Side& side : sides) side = static_cast<Side>(random() % 2);
    const Count before = cut_between(graph, sides), size = size_of_side_0(graph, sides);
    const Count any = static_cast<Count>(random() % static_cast<std::uint64_t>(graph.total_size()));
    const Count target = trial % 3 == 0 ? size : any;
    TwoSides state(graph, target, sides);
    EXPECT_EQ(state.cut(), before);
    state.refine(4);
    const Count after = state.cut(), too_much = state.too_much();
    const std::vector<Side> refined = std::move(state).take();
    EXPECT_EQ(after, cut_between(graph, refined));
    if (size == target) {
      EXPECT_LE(after, before);
    }
    if (largest == 1) {
      EXPECT_EQ(size_of_side_0(graph, refined), target);
    }
    EXPECT_EQ(too_much == 0, std::abs(size_of_side_0(graph, refined) - target) < graph.largest_size());
  }
}

TEST(GraphBisection, has_exact_sizes) {
  std::mt19937_64 random(6);
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const std::size_t vertices = 1 + random() % 300;
    const WorkGraph graph = random_graph(vertices, random() % 900, 1, random);
    const auto target = static_cast<Count>(random() % (vertices + 1));
    Dice dice(trial);
    const std::vector<Side> sides = bisection(graph, target, {}, dice);
    EXPECT_EQ(size_of_side_0(graph, sides), target) << "trial " << trial;
  }
}

}  // namespace
}  // namespace halocline::place
