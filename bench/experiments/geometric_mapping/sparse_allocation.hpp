// Allocations as a busy machine gives them.
#pragma once

#include "halocline/describe/allocation.hpp"

#include <cstdint>

namespace halocline::network {

/// The nodes that a job gets on a machine that is full of other jobs, most of them small, after many have
/// come and gone. Every job gets the first nodes that are free along a line through the whole machine (a
/// Hilbert curve through the routers of a mesh or torus, otherwise the order of the nodes); jobs end in
/// random order until there is room. The nodes are in the order of that line.
///
/// With `box` (extents, one a dimension of a mesh or torus) the line fills a box of routers before it goes on
/// to the next; boxes, and routers within them, are in the order of Hilbert curves. Schedulers go through
/// fast links first in that way.
///
/// The same seed gives the same allocation everywhere. Throws Error{invalid_argument} unless `nodes` is in
/// 1..network.nodes(), or for a box that does not fit the dimensions or has an extent below 1;
/// Error{unsupported} for more than 2^26 nodes in the network, or a box in another kind of network.
[[nodiscard]] Allocation sparse_allocation(const Network& network, Count nodes, std::uint64_t seed,
                                           const Counts& box = {});

}  // namespace halocline::network
