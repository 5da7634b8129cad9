// SPDX-License-Identifier: BSD-3-Clause
// Who talks with whom, whoever sends: the graph in which cells of a grid are looked for.
#pragma once

#include "plan/pattern/message_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halocline::plan {

/// Symmetric, in rows; neighbours in ascending order.
struct PairGraph {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> neighbours;
  Counts bytes;  ///< Both ways together.

  [[nodiscard]] std::size_t vertices() const { return starts.size() - 1; }
  [[nodiscard]] std::size_t degree(std::size_t v) const { return starts[v + 1] - starts[v]; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t v) const {
    return std::span(neighbours).subspan(starts[v], degree(v));
  }
  [[nodiscard]] bool joins(std::size_t u, std::uint32_t v) const;

  /// The same vertices, and the edges that have a mark; both ends of an edge have the same.
  [[nodiscard]] PairGraph only(const std::vector<bool>& marks) const;
};

/// All pairs of the matrix. Throws Error{invalid_argument} if a sum leaves 64 bits.
[[nodiscard]] PairGraph pair_graph(const MessageMatrix& matrix);

/// The median of all degrees. @pre there is a vertex
[[nodiscard]] std::size_t median_degree(const PairGraph& graph);

/// Without the edges of those few who talk with many more than the others do: rank 0 that collects, say.
/// Where more than one in fifty are such, all edges stay.
[[nodiscard]] PairGraph without_hubs(const PairGraph& graph);

/// visit(i, j) for the neighbours that u and v have in common: at i of u's row and at j of v's, as numbers of
/// PairGraph::neighbours. Ends early when visit returns false.
template <class Visit>
void for_common(const PairGraph& graph, std::size_t u, std::size_t v, const Visit& visit) {
  std::size_t i = graph.starts[u], j = graph.starts[v];
  const std::size_t last_i = graph.starts[u + 1], last_j = graph.starts[v + 1];
  while (i < last_i && j < last_j) {
    const std::uint32_t a = graph.neighbours[i], b = graph.neighbours[j];
    if (a == b && !visit(i, j)) return;
    i += a <= b ? 1U : 0U;
    j += b <= a ? 1U : 0U;
  }
}

}  // namespace halocline::plan
