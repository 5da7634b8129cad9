// SPDX-License-Identifier: BSD-3-Clause
// Placing inside the nodes: packages, NUMA domains, caches.
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

namespace halocline::place {

/// The same nodes on the same cells, but inside each node the cells are dealt to the machine's inner groups
/// by recursive bisection: each cut is the cheapest of those across one dimension and of the one in the order
/// of `placement`. Sizes of groups are exact. The cost at the level of the nodes and above does not change.
///
/// A node's order is worked out when one of its ranks or cells is first asked for, in O(n (k + levels d log
/// n)) time, and kept for the most recent nodes: memory O(n) for each of at most 1024 nodes. Returns
/// `placement` itself if the machine has nothing inside its nodes.
[[nodiscard]] Placement bisect_nodes(const Problem& problem, const Placement& placement);

/// The better of `placement` and bisect_nodes(placement), by the exact costs of the levels inside the nodes,
/// outermost first.
[[nodiscard]] Placement place_inside_nodes(const Problem& problem, const Placement& placement);

}  // namespace halocline::place
