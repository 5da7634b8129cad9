// SPDX-License-Identifier: BSD-3-Clause
// Which rank of a node gets which of its seats: the one place that decides it.
#pragma once

#include "plan/seats/seats_of_node.hpp"

#include <span>
#include <utility>
#include <vector>

namespace halocline::plan {

/// What the ranks of one node send and get. They have numbers from 0 on here.
struct NodeTraffic {
  Counts outside;  ///< Of each rank, the bytes to and from other nodes.
  std::vector<std::vector<std::pair<Count, Count>>>
      inside;  ///< For each rank the others, and the bytes to and from them. Symmetric.
};

/// At how many levels of the node these seats are in different parts, by their first cores.
[[nodiscard]] Count parts_between(const NodeDevices& node, const Seat& a, const Seat& b);

/// The seat of each rank. The more a rank has to do with other nodes, the nearer it is to a NIC: the sum of
/// bytes times spans is the least there is. Of the ranks and seats that are equal in that, those that talk
/// are in the same parts of the node as far as exchanges of two ranks lead there; without any gain rank i
/// stays on seat i. O(rounds * seats^2 * partners of a rank), with no more than eight rounds.
/// @pre as many seats as ranks
[[nodiscard]] Counts seats_in_node(const NodeDevices& node, const std::vector<Seat>& seats,
                                   const NodeTraffic& traffic);

}  // namespace halocline::plan
