// SPDX-License-Identifier: BSD-3-Clause
// Cuts a graph in two of given sizes, so that little lies between: on a coarse graph first, then finer and
// finer.
#pragma once

#include "place/graph/dice.hpp"
#include "place/graph/two_sides.hpp"
#include "place/graph/work_graph.hpp"

#include <vector>

namespace halocline::place {

struct BisectionEffort {
  int tries = 1;     ///< From the finest graph to the coarsest and back.
  int growings = 8;  ///< Of a first side, on the coarsest graph.
  int passes = 4;    ///< On every graph on the way back.
};

/// The side of each vertex; `target` ranks are on side 0, exactly if all vertices are single ranks.
/// O(tries * (vertices + edges)) but for logarithms. @pre 0 <= target <= the ranks of the graph
[[nodiscard]] std::vector<Side> bisection(const WorkGraph& graph, Count target, const BisectionEffort& effort,
                                          Dice& dice);

}  // namespace halocline::place
