// SPDX-License-Identifier: BSD-3-Clause
// Ranks that talk with each other and with exactly the same others: no graph tells them apart. Dimensions of
// few cells make them, with stencils that have corners.
#pragma once

#include "plan/pattern/pair_graph.hpp"

#include <cstdint>
#include <vector>

namespace halocline::plan {

struct Twins {
  std::vector<std::uint32_t> class_of;   ///< Of each vertex; classes are numbered by their first vertex.
  std::vector<std::uint32_t> number_of;  ///< Of each vertex in its class.
  std::size_t size = 1;                  ///< Of each class; 0 if they differ.
  PairGraph graph;                       ///< Of the classes.
};

/// O(edges).
[[nodiscard]] Twins twins(const PairGraph& graph);

}  // namespace halocline::plan
