// SPDX-License-Identifier: BSD-3-Clause
// A network of SimGrid's with the routes of network::Routing: what is simulated is what the metrics of a
// mapping count, link by link. For networks that SimGrid has not, or not as they are.
#pragma once

#include "network/routing/routing.hpp"
#include "simulate/cluster.hpp"

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <vector>

namespace halocline::simulate {

/// Networks are described in gigabytes, SimGrid's in bytes.
inline constexpr double gigabyte = 1e9;

/// Made by new: it becomes the root of the platform, which SimGrid destroys. Hosts are added in the order of
/// the network's nodes, each with the link of its memory, and then it is sealed.
class RoutedZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  RoutedZone(const std::string& name, const Cluster& cluster);

  /// The link that a node's processes use among themselves. One call for each host, in order.
  void add_memory(const simgrid::s4u::Link* link);

  void get_local_route(const simgrid::kernel::routing::NetPoint* from,
                       const simgrid::kernel::routing::NetPoint* to, simgrid::kernel::routing::Route* into,
                       double* latency) override;

 private:
  using LinkOfZone = simgrid::kernel::resource::StandardLinkImpl;

  network::Routing routing_;
  double link_latency_, node_latency_;
  std::vector<LinkOfZone*> links_;   ///< By the numbers of Routing.
  std::vector<LinkOfZone*> memory_;  ///< By node.
};

}  // namespace halocline::simulate
