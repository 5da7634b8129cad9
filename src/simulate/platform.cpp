// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/platform.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"
#include "simulate/routed_zone.hpp"

#include <algorithm>
#include <cstdio>

namespace halocline::simulate {
namespace {

namespace sg = simgrid::s4u;
using simgrid::kernel::routing::NetPoint;
using Coordinates = std::vector<unsigned long>;

/// What processes compute takes no simulated time, so that any speed will do.
constexpr double flops = 1e9;
/// Each direction of a cable has the whole bandwidth.
constexpr auto both_ways = sg::Link::SharingPolicy::SPLITDUPLEX;

class Builder {
 public:
  explicit Builder(const Cluster& cluster) : cluster_(cluster) {}

  std::vector<sg::Host*> build() {
    std::visit([this](const auto& topology) { build(topology); }, cluster_.network.topology());
    return std::move(hosts_);
  }

 private:
  // ---- Nodes.

  /// Of several nodes at one router SimGrid sees one host: they share the router's links, and what they send
  /// each other is as fast as inside a node.
  sg::Host* add_host(sg::NetZone* zone, Count nodes) {
    sg::Host* const host = zone->create_host(concat("node", hosts_.size()), flops);
    host->set_core_count(to_int(nodes * cluster_.cores));
    host->seal();
    hosts_.insert(hosts_.end(), to_size(nodes), host);
    return host;
  }

  /// Between processes of a node; they do not slow each other down.
  [[nodiscard]] sg::Link* add_memory(sg::NetZone* zone, const std::string& name) const {
    return zone->create_link(name, cluster_.node_bandwidth)
        ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)
        ->set_latency(cluster_.node_latency_seconds)
        ->seal();
  }

  /// At each leaf of the network.
  sg::ClusterCallbacks leaves(Count nodes = 1) {
    return {[this, nodes](sg::NetZone* zone, const Coordinates& /*at*/, unsigned long /*number*/) {
              return std::pair<NetPoint*, NetPoint*>(add_host(zone, nodes)->get_netpoint(), nullptr);
            },
            [this](sg::NetZone* zone, const Coordinates& /*at*/, unsigned long number) {
              return add_memory(zone, concat("memory", number));
            },
            {}};
  }

  // ---- Networks.

  static void for_links(const std::string& beginning, const std::function<void(sg::Link*)>& act) {
    for (sg::Link* link : sg::Engine::get_instance()->get_all_links())
      if (link->get_name().starts_with(beginning)) act(link);
  }

  void build(const Network::FatTree& tree) {
    const std::vector<Network::FatTree::Tier> innermost_first(tree.tiers.rbegin(), tree.tiers.rend());
    std::vector<unsigned int> children, parents, links;
    for (const Network::FatTree::Tier& tier : innermost_first) {
      children.push_back(static_cast<unsigned int>(tier.children));
      parents.push_back(static_cast<unsigned int>(tier.parents));
      links.push_back(static_cast<unsigned int>(tier.links));
    }
    const sg::FatTreeParams shape(static_cast<unsigned int>(tree.tiers.size()), children, parents, links);
    sg::create_fatTree_zone("network", nullptr, shape, leaves(), tree.tiers.front().bandwidth * gigabyte,
                            cluster_.link_latency_seconds, both_ways)
        ->seal();
  }

  void build(const Network::Cartesian& box) {
    // SimGrid counts the first dimension fastest.
    const Coordinates extents(box.extents.rbegin(), box.extents.rend());
    double fastest = 0;
    for (const Network::Pattern& pattern : box.bandwidths)
      fastest = std::max(fastest, *std::max_element(pattern.begin(), pattern.end()));
    fastest *= gigabyte;
    sg::create_torus_zone("network", nullptr, extents, leaves(box.hosts), fastest,
                          cluster_.link_latency_seconds, both_ways)
        ->seal();
    set_speeds(box);
  }

  /// Links are called network_link_from_A_to_B, with the numbers of the routers.
  static void set_speeds(const Network::Cartesian& box) {
    const Grid routers(box.extents);
    for_links("network_link_from_", [&](sg::Link* link) {
      long long from = 0, to = 0;
      if (std::sscanf(link->get_cname(), "network_link_from_%lld_to_%lld", &from, &to) != 2)
        fail(Fault::internal, "a link of the simulated torus is called ", link->get_name());
      const Cell begin = routers.cell(from), end = routers.cell(to);
      for (std::size_t d = 0; d < begin.size(); ++d)
        if (begin[d] != end[d]) link->set_bandwidth(box.bandwidth(d, begin[d]) * gigabyte);
    });
  }

  /// SimGrid's own has its global links at one router each, and not more groups than a group has routers.
  void build(const Network::Dragonfly&) {
    auto* const zone = new RoutedZone("network", cluster_);  // SimGrid destroys its root.
    for (Count node = 0; node < cluster_.network.nodes(); ++node) {
      (void)add_host(zone->get_iface(), 1);
      zone->add_memory(add_memory(zone->get_iface(), concat("memory", node)));
    }
    zone->seal();
  }

  const Cluster& cluster_;
  std::vector<sg::Host*> hosts_;
};

}  // namespace

std::vector<sg::Host*> build_platform(const Cluster& cluster) { return Builder(cluster).build(); }

}  // namespace halocline::simulate
