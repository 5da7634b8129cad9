// SPDX-License-Identifier: BSD-3-Clause
// Cells of a grid from its steps alone: from a first vertex and its neighbours on, each vertex goes where its
// neighbours say.
#pragma once

#include "plan/pattern/evidence.hpp"
#include "plan/pattern/pair_graph.hpp"

#include <optional>

namespace halocline::plan {

/// The cells of all vertices, if `steps` are those between neighbours on a grid, give or take a few. Vertices
/// without a place, such as hubs, get the cells that are left by their edges in `all`. A dimension of a ring
/// of 4 may come out as two of 2, which have the same edges. Nothing if the vertices do not fill a box.
[[nodiscard]] std::optional<Reading> grown_reading(const PairGraph& steps, const PairGraph& all);

}  // namespace halocline::plan
