// SPDX-License-Identifier: BSD-3-Clause
// Makes a graph small: vertices with much between them become one, again and again.
// Heavy-edge matching: Karypis and Kumar, "A Fast and High Quality Multilevel Scheme for Partitioning
// Irregular Graphs", SIAM J. Sci. Comput. 20 (1998).
#pragma once

#include "place/graph/dice.hpp"
#include "place/graph/work_graph.hpp"

#include <vector>

namespace halocline::place {

struct CoarserGraph {
  WorkGraph graph;
  std::vector<Vertex> vertex_of;  ///< The coarse vertex of each fine one.
};

/// At most two vertices become one, none larger than `largest`. What has no partner left next to it gets one
/// that talks with the same vertex, so that stars shrink too. O(vertices + edges).
[[nodiscard]] CoarserGraph coarser(const WorkGraph& graph, Count largest, Dice& dice);

}  // namespace halocline::place
