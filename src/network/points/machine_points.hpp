// SPDX-License-Identifier: BSD-3-Clause
// The cores of an allocation as points that the partitioner can cut: section 4.3 and the
// architecture-specific optimizations of sections 5.2 and 5.3 of "Exploiting Geometric Partitioning in Task
// Mapping for Parallel Computers".
#pragma once

#include "halocline/describe/allocation.hpp"
#include "network/points/points.hpp"

#include <vector>

namespace halocline::network {

/// How a machine is shown to the partitioner. Only a mesh or torus can be shown in different ways.
struct MachineView {
  /// Where a dimension is periodic, its border is moved into the widest gap of the allocation.
  bool shift = true;
  /// A link is as long as its bandwidth is small, otherwise all are equally long.
  bool by_bandwidth = false;
  /// Extents of boxes of routers that shall be cut only when nothing else is left: coordinates of the box,
  /// scaled up, then coordinates within it. None: no boxes.
  Counts boxes = {};
  /// Dimensions of the network that are left out ("+E" in the paper).
  std::vector<std::size_t> ignored = {};

  bool operator==(const MachineView&) const = default;
};

/// A point for each node of the allocation, in its order.
///
/// Mesh and torus: the router's coordinates, seen as `view` says; hosts of a router are at one point.
/// Fat tree: the child taken on each tier. Dragonfly: group and router. There the distance on an outer level
/// is larger than all those within, so that cuts follow the hierarchy.
///
/// Throws Error{invalid_argument} for boxes that do not match the dimensions in number or have an extent
/// below 1, and for ignored dimensions that are not there, or are all; Error{unsupported} for boxes or
/// ignored dimensions of another kind of network.
[[nodiscard]] Points node_points(const Allocation& allocation, const MachineView& view = {});

/// The node of the network that each core is on, cores numbered node by node in the order of the allocation.
/// `cores_per_node` has one entry, or one for each node. Throws Error{invalid_argument} for another number of
/// entries, one below 0, or no cores at all.
[[nodiscard]] Counts node_of_core(const Allocation& allocation, const Counts& cores_per_node);

/// A point for each core in the same order: that of its node. Throws as both of the above.
[[nodiscard]] Points core_points(const Allocation& allocation, const Counts& cores_per_node,
                                 const MachineView& view = {});

}  // namespace halocline::network
