// SPDX-License-Identifier: BSD-3-Clause
#include "preload/placement/task_graph.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"

namespace halocline::preload {

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

}  // namespace halocline::preload
