// SPDX-License-Identifier: BSD-3-Clause
// Distances, static routes and links of a network: what the metrics of a mapping are made of.
#pragma once

#include "halocline/describe/network.hpp"

#include <memory>

namespace halocline::network {

/// The static routes of a network: one shortest path for every two nodes. An immutable value, cheap to copy.
///
/// Mesh and torus: dimension by dimension, the first one first, the shorter way around (up where both are
/// equal). Hops are links between routers: two hosts of a router are 0 hops apart, as in the paper.
/// Fat tree: up to the lowest common switch and down again. The parent and the link taken on each tier follow
/// from the digits of the destination's number. Hops count the links of the hosts too.
/// Dragonfly: minimal, local - global - local, over the global link with the fewest hops; where several are
/// equal, router numbers decide. Port j of a group leads to the group j + 1 (modulo groups) further on, and
/// again from the start when every group is joined, so that every two groups share as many links; ports that
/// are left over, too few to join every group once more, have none. Hops count the links of the hosts too.
///
/// A link is one direction: what goes the other way loads another link. Links are numbered from 0.
class Routing {
 public:
  explicit Routing(const Network& network);

  /// The length of the route, in links. A metric: symmetric, and no detour is shorter.
  /// @pre both nodes are in the network, here and below
  [[nodiscard]] Count distance(Count from, Count to) const;
  /// The links in the order in which a message from one node to the other takes them.
  [[nodiscard]] Counts route(Count from, Count to) const;

  /// Throws Error{unsupported} if there are more than 2^63 - 1.
  [[nodiscard]] Count links() const;
  /// @pre 0 <= link < links()
  [[nodiscard]] double bandwidth(Count link) const;

  /// The kind of network behind it. Not for users.
  class NetworkRoutes;
  [[nodiscard]] const NetworkRoutes& routes() const { return *routes_; }

 private:
  std::shared_ptr<const NetworkRoutes> routes_;
};

}  // namespace halocline::network
