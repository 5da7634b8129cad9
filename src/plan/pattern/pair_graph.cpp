// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/pair_graph.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <utility>

namespace halocline::plan {
namespace {

/// The pairs the other way round, each row in ascending order.
PairGraph turned_round(const MessageMatrix& matrix) {
  PairGraph turned;
  turned.starts.assign(to_size(matrix.ranks()) + 1, 0);
  matrix.for_each([&](std::size_t, std::size_t target, Count) { ++turned.starts[target + 1]; });
  for (std::size_t v = 1; v < turned.starts.size(); ++v) turned.starts[v] += turned.starts[v - 1];
  turned.neighbours.resize(to_size(matrix.pairs()));
  turned.bytes.resize(turned.neighbours.size());
  std::vector<std::size_t> next(turned.starts.begin(), turned.starts.end() - 1);
  matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    turned.neighbours[next[target]] = static_cast<std::uint32_t>(source);
    turned.bytes[next[target]++] = bytes;
  });
  return turned;
}

}  // namespace

bool PairGraph::joins(std::size_t u, std::uint32_t v) const {
  const auto row = of(u);
  return std::binary_search(row.begin(), row.end(), v);
}

PairGraph PairGraph::only(const std::vector<bool>& marks) const {
  PairGraph rest;
  rest.starts.reserve(starts.size());
  for (std::size_t v = 0; v < vertices(); ++v) {
    for (std::size_t i = starts[v]; i < starts[v + 1]; ++i)
      if (marks[i]) {
        rest.neighbours.push_back(neighbours[i]);
        rest.bytes.push_back(bytes[i]);
      }
    rest.starts.push_back(rest.neighbours.size());
  }
  return rest;
}

PairGraph pair_graph(const MessageMatrix& matrix) {
  const PairGraph turned = turned_round(matrix);
  PairGraph graph;
  for (std::size_t v = 0; v < turned.vertices(); ++v) {
    const auto to = matrix.targets_of(v), from = turned.of(v);
    std::size_t i = 0, j = 0;
    while (i < to.size() || j < from.size()) {
      const bool sends = j == from.size() || (i < to.size() && to[i] <= from[j]);
      const bool gets = i == to.size() || (j < from.size() && from[j] <= to[i]);
      graph.neighbours.push_back(sends ? to[i] : from[j]);
      graph.bytes.push_back(
          checked_add(sends ? matrix.bytes_of(v)[i] : 0, gets ? turned.bytes[turned.starts[v] + j] : 0));
      i += sends ? 1U : 0U;
      j += gets ? 1U : 0U;
    }
    graph.starts.push_back(graph.neighbours.size());
  }
  return graph;
}

std::size_t median_degree(const PairGraph& graph) {
  std::vector<std::size_t> degrees(graph.vertices());
  for (std::size_t v = 0; v < graph.vertices(); ++v) degrees[v] = graph.degree(v);
  const auto middle = degrees.begin() + static_cast<std::ptrdiff_t>(degrees.size() / 2);
  std::nth_element(degrees.begin(), middle, degrees.end());
  return *middle;
}

PairGraph without_hubs(const PairGraph& graph) {
  const std::size_t many = 3 * median_degree(graph) + 4;
  std::vector<bool> is_hub(graph.vertices());
  std::size_t hubs = 0;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    is_hub[v] = graph.degree(v) > many;
    hubs += is_hub[v] ? 1U : 0U;
  }
  if (hubs == 0 || hubs > 1 + graph.vertices() / 50) return graph;
  std::vector<bool> marks(graph.neighbours.size());
  for (std::size_t v = 0; v < graph.vertices(); ++v)
    for (std::size_t i = graph.starts[v]; i < graph.starts[v + 1]; ++i)
      marks[i] = !is_hub[v] && !is_hub[graph.neighbours[i]];
  return graph.only(marks);
}

}  // namespace halocline::plan
