// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/work_graph.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::place {

Count WorkGraph::total_size() const { return std::accumulate(sizes.begin(), sizes.end(), Count{0}); }

Count WorkGraph::largest_size() const {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

WorkGraph Subgraphs::among(std::span<const Vertex> vertices) {
  WorkGraph piece;
  piece.starts.reserve(vertices.size() + 1);
  piece.sizes.reserve(vertices.size());
  std::size_t ends = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    number_[vertices[i]] = static_cast<Vertex>(i);
    ends += graph_.starts[vertices[i] + 1] - graph_.starts[vertices[i]];
  }
  piece.targets.reserve(ends);
  piece.weights.reserve(ends);
  for (const Vertex v : vertices) {
    graph_.for_edges(v, [&](Vertex target, Count weight) {
      if (number_[target] == no_vertex) return;
      piece.targets.push_back(number_[target]);
      piece.weights.push_back(weight);
    });
    piece.starts.push_back(piece.targets.size());
    piece.sizes.push_back(graph_.sizes[v]);
  }
  for (const Vertex v : vertices) number_[v] = no_vertex;
  return piece;
}

}  // namespace halocline::place
