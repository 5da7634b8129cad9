// SPDX-License-Identifier: BSD-3-Clause
// The seats that a node has for its ranks: which cores, which GPU, how far from a NIC.
#pragma once

#include "plan/seats/node_devices.hpp"

#include <vector>

namespace halocline::plan {

/// What ranks shall be near to.
struct NearWhat {
  bool gpu;
  bool nic;
};

/// Reads "gpu", "nic" or "gpu,nic". Throws Error{invalid_argument}.
[[nodiscard]] NearWhat near_what(const std::string& text);

/// A seat is for one rank: some consecutive cores, and a GPU of which other seats have their share, too.
struct Seat {
  Counts cores;
  Count gpu;       ///< An index of NodeDevices::devices; no_gpu if GPUs count for nothing.
  Count nic_span;  ///< From the nearest NIC; 0 if NICs count for nothing.
  bool operator==(const Seat&) const = default;
};
inline constexpr Count no_gpu = -1;

/// As launchers fill nodes: rank i of the node on the i-th cores, and GPU i of them, beginning again behind
/// the last one.
[[nodiscard]] std::vector<Seat> default_seats(const NodeDevices& node, Count ranks, Count cores_per_rank,
                                              NearWhat near);

/// Seats in the order of their cores. Near GPUs: each GPU has as many seats as any other, or one more, and
/// all seats together are as near to theirs as they can be. Otherwise they are spread evenly over the node.
/// If all cores are taken the cores are those of default_seats(). Throws Error{invalid_argument} if there are
/// not cores enough, and if there is no device of a kind that they shall be near to.
[[nodiscard]] std::vector<Seat> seats_of_node(const NodeDevices& node, Count ranks, Count cores_per_rank,
                                              NearWhat near);

}  // namespace halocline::plan
