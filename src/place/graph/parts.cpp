// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/parts.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halocline::place {
namespace {

class Bisections {
 public:
  Bisections(std::size_t vertices, const BisectionEffort& effort, Dice& dice)
      : effort_(effort), dice_(dice), part_(vertices) {}

  /// Gives the parts from `first` on to the vertices of the whole, which `graph` has by other numbers.
  void divide(const WorkGraph& graph, std::span<const Vertex> vertices, std::span<const Count> sizes,
              Part first) {
    if (sizes.size() == 1 || graph.targets.empty()) return fill(vertices, sizes, first);
    const std::size_t half = sizes.size() / 2;
    const std::span left = sizes.first(half), right = sizes.subspan(half);
    const Count target = std::accumulate(left.begin(), left.end(), Count{0});
    const std::vector<Side> sides = bisection(graph, target, effort_, dice_);
    Subgraphs pieces(graph);
    for (const Side side : {Side{0}, Side{1}}) {
      std::vector<Vertex> inner, outer;
      for (Vertex v = 0; v < sides.size(); ++v) {
        if (sides[v] != side) continue;
        inner.push_back(v);
        outer.push_back(vertices[v]);
      }
      const Part next = side == 0 ? first : first + static_cast<Part>(half);
      divide(pieces.among(inner), outer, side == 0 ? left : right, next);
    }
  }

  std::vector<Part> take() { return std::move(part_); }

 private:
  void fill(std::span<const Vertex> vertices, std::span<const Count> sizes, Part first) {
    std::size_t next = 0;
    for (const Count size : sizes) {
      for (Count i = 0; i < size; ++i) part_[vertices[next++]] = first;
      ++first;
    }
  }

  const BisectionEffort& effort_;
  Dice& dice_;
  std::vector<Part> part_;
};

std::vector<Vertex> all_vertices(const WorkGraph& graph) {
  std::vector<Vertex> vertices(graph.vertices());
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  return vertices;
}

/// Appends what can be reached from `start` and is not marked yet.
void append_reachable(const WorkGraph& graph, Vertex start, std::vector<char>& marked,
                      std::vector<Vertex>& order) {
  std::size_t next = order.size();
  marked[start] = 1;
  order.push_back(start);
  for (; next < order.size(); ++next)
    graph.for_edges(order[next], [&](Vertex u, Count) {
      if (std::exchange(marked[u], 1) == 0) order.push_back(u);
    });
}

}  // namespace

Count cut_between(const WorkGraph& graph, std::span<const Part> parts) {
  Count cut = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v)
    graph.for_edges(v, [&](Vertex u, Count weight) { cut += u > v && parts[u] != parts[v] ? weight : 0; });
  return cut;
}

std::vector<Part> parts_in_order(std::span<const Vertex> order, std::span<const Count> sizes) {
  std::vector<Part> parts(order.size());
  std::size_t next = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part)
    for (Count i = 0; i < sizes[part]; ++i) parts[order[next++]] = static_cast<Part>(part);
  return parts;
}

std::vector<Vertex> breadth_first_order(const WorkGraph& graph) {
  std::vector<Vertex> order, reached;
  std::vector<char> seen(graph.vertices(), 0), marked(graph.vertices(), 0);
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    if (marked[v] != 0) continue;
    append_reachable(graph, v, seen, reached);
    // The last one reached is far away from others.
    append_reachable(graph, reached.back(), marked, order);
  }
  return order;
}

std::vector<Part> parts_by_bisection(const WorkGraph& graph, std::span<const Count> sizes,
                                     const BisectionEffort& effort, Dice& dice) {
  Bisections bisections(graph.vertices(), effort, dice);
  bisections.divide(graph, all_vertices(graph), sizes, 0);
  return bisections.take();
}

}  // namespace halocline::place
