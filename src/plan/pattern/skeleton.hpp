// SPDX-License-Identifier: BSD-3-Clause
// Of all pairs that talk, those that are one step apart in a grid, whatever the stencil.
#pragma once

#include "plan/pattern/pair_graph.hpp"

namespace halocline::plan {

/// How alike two neighbours are.
enum class Likeness {
  bytes,      ///< By what they send each other: faces are larger than edges and corners.
  neighbours  ///< By the share of neighbours that they have in common.
};

/// The relative neighbourhood graph (Toussaint, "The relative neighbourhood graph of a finite planar set",
/// 1980) by that measure: without edges whose ends are both more like a third vertex than like each other.
/// Then, if most edges are sides of squares, also without those that are not: of a grid of two dimensions or
/// more all are. O(edges * degree).
[[nodiscard]] PairGraph skeleton(const PairGraph& graph, Likeness likeness);

}  // namespace halocline::plan
