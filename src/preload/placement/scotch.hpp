// SPDX-License-Identifier: BSD-3-Clause
// The graph mapper of Scotch, where that is installed. It is opened for one call and closed again, so that
// neither the preload library nor the program depends on it.
#pragma once

#include "preload/placement/task_graph.hpp"

#include <optional>

namespace halocline::preload {

/// The node of each vertex, as many of them on each as `sizes` says, so that little crosses between nodes.
/// Nothing where there is no Scotch, it fails, or the program has loaded it for itself: its random numbers
/// would not be the same any more. @pre `graph` is undirected; `sizes` add up to its vertices
[[nodiscard]] std::optional<Counts> mapped_by_scotch(const TaskGraph& graph, const Counts& sizes);

}  // namespace halocline::preload
