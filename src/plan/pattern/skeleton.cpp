// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/skeleton.hpp"

#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

/// For each edge the number of vertices that its ends both have next to them, ends included, by that of all
/// that one of them has.
std::vector<double> shares_in_common(const PairGraph& graph) {
  std::vector<double> shares(graph.neighbours.size());
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    for (std::size_t edge = graph.starts[u]; edge < graph.starts[u + 1]; ++edge) {
      const std::size_t v = graph.neighbours[edge];
      std::size_t common = 2;
      for_common(graph, u, v, [&](std::size_t, std::size_t) { return ++common > 0; });
      shares[edge] = ratio_of(common, graph.degree(u) + graph.degree(v) + 2 - common);
    }
  return shares;
}

/// By bytes a third vertex has to be more alike on both sides, since sizes of messages vary. Shares are
/// exact: there it may be as much alike on one of them, as happens where the grid ends.
bool comes_between(double first, double second, double edge, Likeness likeness) {
  if (likeness == Likeness::bytes) return first > edge && second > edge;
  return first >= edge && second >= edge && (first > edge || second > edge);
}

PairGraph relative_neighbours(const PairGraph& graph, const std::vector<double>& alike, Likeness likeness) {
  std::vector<bool> marks(graph.neighbours.size());
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    for (std::size_t edge = graph.starts[u]; edge < graph.starts[u + 1]; ++edge) {
      bool kept = true;
      for_common(graph, u, graph.neighbours[edge], [&](std::size_t i, std::size_t j) {
        kept = !comes_between(alike[i], alike[j], alike[edge], likeness);
        return kept;
      });
      marks[edge] = kept;
    }
  return graph.only(marks);
}

/// Is there a way of three edges around this one?
bool in_square(const PairGraph& graph, std::size_t u, std::size_t v) {
  for (const std::uint32_t w : graph.of(u)) {
    if (w == v) continue;
    bool found = false;
    for_common(graph, v, w, [&](std::size_t i, std::size_t) {
      found = graph.neighbours[i] != u;
      return !found;
    });
    if (found) return true;
  }
  return false;
}

PairGraph sides_of_squares(const PairGraph& graph) {
  std::vector<bool> marks(graph.neighbours.size());
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    for (std::size_t edge = graph.starts[u]; edge < graph.starts[u + 1]; ++edge)
      marks[edge] = in_square(graph, u, graph.neighbours[edge]);
  const auto sides = std::count(marks.begin(), marks.end(), true);
  return 2 * to_size(sides) >= marks.size() ? graph.only(marks) : graph;
}

}  // namespace

PairGraph skeleton(const PairGraph& graph, Likeness likeness) {
  std::vector<double> alike;
  if (likeness == Likeness::bytes)
    for (const Count bytes : graph.bytes) alike.push_back(to_double(bytes));
  else
    alike = shares_in_common(graph);
  PairGraph nearest = relative_neighbours(graph, alike, likeness);
  constexpr std::size_t most_neighbours = 12;  // two along each of 6 dimensions
  if (median_degree(nearest) > most_neighbours) return nearest;
  return sides_of_squares(nearest);
}

}  // namespace halocline::plan
