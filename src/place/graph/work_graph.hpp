// SPDX-License-Identifier: BSD-3-Clause
// The graph as the mapper works on it: vertices are ranks, or several of them that stay together for now.
#pragma once

#include "halocline/base/count.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halocline::place {

using Vertex = std::uint32_t;
constexpr Vertex no_vertex = ~Vertex{0};

/// Symmetric, in compressed rows, without edges from a vertex to itself.
struct WorkGraph {
  std::vector<std::size_t> starts{0};
  std::vector<Vertex> targets;
  Counts weights;
  Counts sizes;  ///< Ranks in each vertex.

  [[nodiscard]] std::size_t vertices() const { return sizes.size(); }
  /// What a step over all of it takes, in vertices and ends of edges.
  [[nodiscard]] std::size_t extent() const { return vertices() + targets.size(); }
  [[nodiscard]] Count total_size() const;
  [[nodiscard]] Count largest_size() const;

  /// visit(target, weight) for each edge of `v`.
  template <class Visit>
  void for_edges(Vertex v, const Visit& visit) const {
    for (std::size_t i = starts[v]; i < starts[v + 1]; ++i) visit(targets[i], weights[i]);
  }
};

/// Cuts subgraphs out of a graph. What it remembers between two of them takes a number for each vertex.
class Subgraphs {
 public:
  explicit Subgraphs(const WorkGraph& graph) : graph_(graph), number_(graph.vertices(), no_vertex) {}

  /// The edges among `vertices`, which get the numbers 0, 1, ... O(their edges). @pre they differ
  [[nodiscard]] WorkGraph among(std::span<const Vertex> vertices);

 private:
  const WorkGraph& graph_;
  std::vector<Vertex> number_;
};

}  // namespace halocline::place
