// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/twins.hpp"

#include "base/hash.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace halocline::plan {
namespace {

/// The same for vertices that have the same next to them, themselves included.
std::uint64_t fingerprint(const PairGraph& graph, std::size_t v) {
  std::uint64_t sum = split_mixed(v + 1);
  for (const std::uint32_t neighbour : graph.of(v)) sum += split_mixed(std::uint64_t{neighbour} + 1);
  return sum;
}

PairGraph graph_of_classes(const PairGraph& graph, const Twins& twins, std::size_t classes) {
  std::vector<std::map<std::uint32_t, Count>> rows(classes);
  for (std::size_t v = 0; v < graph.vertices(); ++v)
    for (std::size_t i = graph.starts[v]; i < graph.starts[v + 1]; ++i) {
      const std::uint32_t other = twins.class_of[graph.neighbours[i]];
      if (other == twins.class_of[v]) continue;
      Count& bytes = rows[twins.class_of[v]][other];
      bytes = checked_add(bytes, graph.bytes[i]);
    }
  PairGraph small;
  for (const auto& row : rows) {
    for (const auto& [neighbour, bytes] : row) {
      small.neighbours.push_back(neighbour);
      small.bytes.push_back(bytes);
    }
    small.starts.push_back(small.neighbours.size());
  }
  return small;
}

}  // namespace

Twins twins(const PairGraph& graph) {
  Twins twins;
  twins.class_of.resize(graph.vertices());
  twins.number_of.resize(graph.vertices());
  std::map<std::uint64_t, std::uint32_t> classes;
  std::vector<std::uint32_t> sizes;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    const auto [found, is_new] =
        classes.emplace(fingerprint(graph, v), static_cast<std::uint32_t>(sizes.size()));
    if (is_new) sizes.push_back(0);
    twins.class_of[v] = found->second;
    twins.number_of[v] = sizes[found->second]++;
  }
  const bool alike =
      std::all_of(sizes.begin(), sizes.end(), [&](auto size) { return size == sizes.front(); });
  twins.size = alike ? sizes.front() : 0;
  if (alike && twins.size > 1) twins.graph = graph_of_classes(graph, twins, sizes.size());
  return twins;
}

}  // namespace halocline::plan
