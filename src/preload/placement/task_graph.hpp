// SPDX-License-Identifier: BSD-3-Clause
// The graph of a distributed graph communicator as one process sees it that knows all of it, and what of it
// crosses between nodes. No MPI here.
#pragma once

#include "halocline/base/count.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halocline::preload {

/// Vertex v sends to targets[i], so much as weights[i] says, for starts[v] <= i < starts[v + 1].
struct TaskGraph {
  std::vector<std::size_t> starts;
  std::vector<int> targets;
  Counts weights;

  [[nodiscard]] std::size_t vertices() const { return starts.size() - 1; }
  [[nodiscard]] std::span<const int> targets_of(std::size_t v) const {
    return std::span(targets).subspan(starts[v], starts[v + 1] - starts[v]);
  }
  [[nodiscard]] std::span<const Count> weights_of(std::size_t v) const {
    return std::span(weights).subspan(starts[v], starts[v + 1] - starts[v]);
  }
};

/// The weights of all edges whose ends lie on different nodes. Throws Error{invalid_argument} if they leave
/// 64 bits.
[[nodiscard]] Count crossing(const TaskGraph& graph, std::span<const Count> node_of_vertex);

}  // namespace halocline::preload
