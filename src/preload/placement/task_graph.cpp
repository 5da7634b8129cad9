// SPDX-License-Identifier: BSD-3-Clause
#include "preload/placement/task_graph.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace halocline::preload {
namespace {

struct Half {
  std::size_t from;
  int to;
  Count weight;
};

bool by_ends(const Half& a, const Half& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); }

struct VertexMove {
  Count gain = std::numeric_limits<Count>::min();
  std::size_t vertex = 0;
  Count to = -1;
};

/// The best move of one vertex to a node that has room.
VertexMove best_move(const TaskGraph& graph, std::size_t v, std::span<const Count> node_of_vertex,
                     std::span<const Count> room) {
  Counts near(room.size(), 0);
  const auto targets = graph.targets_of(v);
  for (std::size_t i = 0; i < targets.size(); ++i)
    near[to_size(node_of_vertex[to_size(targets[i])])] += graph.weights_of(v)[i];
  VertexMove best;
  for (std::size_t node = 0; node < room.size(); ++node) {
    const Count gain = near[node] - near[to_index(node_of_vertex[v])];
    if (room[node] > 0 && gain > best.gain) best = {gain, v, to_count(node)};
  }
  return best;
}

}  // namespace

Count crossing(const TaskGraph& graph, std::span<const Count> node_of_vertex) {
  Count sum = 0;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    const auto targets = graph.targets_of(v);
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (node_of_vertex[v] != node_of_vertex[to_index(targets[i])])
        sum = checked_add(sum, graph.weights_of(v)[i]);
  }
  return sum;
}

TaskGraph undirected(const TaskGraph& graph) {
  std::vector<Half> halves;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    const auto targets = graph.targets_of(v);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto target = to_size(targets[i]);
      const Count weight = graph.weights_of(v)[i];
      if (target == v || weight == 0) continue;
      halves.push_back({v, targets[i], weight});
      halves.push_back({target, to_int(v), weight});
    }
  }
  std::sort(halves.begin(), halves.end(), by_ends);
  TaskGraph both;
  both.starts.push_back(0);
  for (std::size_t v = 0, i = 0; v < graph.vertices(); ++v) {
    for (; i < halves.size() && halves[i].from == v; ++i) {
      if (both.targets.size() > both.starts.back() && both.targets.back() == halves[i].to) {
        both.weights.back() = checked_add(both.weights.back(), halves[i].weight);
      } else {
        both.targets.push_back(halves[i].to);
        both.weights.push_back(halves[i].weight);
      }
    }
    both.starts.push_back(both.targets.size());
  }
  return both;
}

void fill_exactly(const TaskGraph& graph, const Counts& sizes, std::span<Count> node_of_vertex) {
  Counts room = sizes;
  for (const Count node : node_of_vertex) --room[to_index(node)];
  while (std::any_of(room.begin(), room.end(), [](Count free) { return free < 0; })) {
    VertexMove best;
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
      if (room[to_size(node_of_vertex[v])] >= 0) continue;
      const VertexMove move = best_move(graph, v, node_of_vertex, room);
      if (move.gain > best.gain) best = move;
    }
    ++room[to_index(node_of_vertex[best.vertex])];
    --room[to_index(best.to)];
    node_of_vertex[best.vertex] = best.to;
  }
}

}  // namespace halocline::preload
