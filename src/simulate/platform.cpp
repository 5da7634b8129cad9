#include "simulate/platform.hpp"

#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"

#include <algorithm>
#include <cstdio>

namespace halocline::simulate {
namespace {

namespace sg = simgrid::s4u;
using simgrid::kernel::routing::NetPoint;
using Coordinates = std::vector<unsigned long>;

constexpr double gigabyte = 1e9;
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

  sg::Host* add_host(sg::NetZone* zone) {
    sg::Host* const host = zone->create_host(concat("node", hosts_.size()), flops);
    host->set_core_count(static_cast<int>(cluster_.cores));
    host->seal();
    hosts_.push_back(host);
    return host;
  }

  /// Between processes of a node; they do not slow each other down.
  sg::Link* add_memory(sg::NetZone* zone, const std::string& name) {
    return zone->create_link(name, cluster_.node_bandwidth)
        ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)
        ->set_latency(cluster_.node_latency_seconds)
        ->seal();
  }

  /// A node at each leaf of the network.
  sg::ClusterCallbacks single_nodes() {
    return {[this](sg::NetZone* zone, const Coordinates& /*at*/, unsigned long /*number*/) {
              return std::pair<NetPoint*, NetPoint*>(add_host(zone)->get_netpoint(), nullptr);
            },
            [this](sg::NetZone* zone, const Coordinates& /*at*/, unsigned long number) {
              return add_memory(zone, concat("memory", number));
            },
            {}};
  }

  /// Several nodes that share a router, each with a link of its own to it.
  sg::ClusterCallbacks shared_routers(Count hosts, double bandwidth) {
    const auto router = [this, hosts, bandwidth](sg::NetZone* zone, const Coordinates& /*at*/,
                                                 unsigned long number) {
      sg::NetZone* const star = sg::create_star_zone(concat("router", number))->set_parent(zone);
      NetPoint* const gateway = star->create_router(concat("gateway", number));
      for (Count h = 0; h < hosts; ++h) {
        sg::Host* const host = add_host(star);
        const std::string name = host->get_name();
        const sg::Link* const link = star->create_split_duplex_link(concat("to_", name), bandwidth)
                                         ->set_latency(cluster_.link_latency_seconds)
                                         ->seal();
        star->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
                        {{link, sg::LinkInRoute::Direction::UP}}, true);
        star->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr,
                        {sg::LinkInRoute(add_memory(star, concat("memory_", name)))}, true);
      }
      star->seal();
      return std::pair<NetPoint*, NetPoint*>(star->get_netpoint(), gateway);
    };
    return sg::ClusterCallbacks(router);
  }

  // ---- Networks.

  static void for_links(const std::string& beginning, const std::function<void(sg::Link*)>& act) {
    for (sg::Link* link : sg::Engine::get_instance()->get_all_links())
      if (link->get_name().starts_with(beginning)) act(link);
  }

  void build(const Network::FatTree& tree) {
    std::vector<unsigned int> children, parents, links;  // the innermost first
    for (auto tier = tree.tiers.rbegin(); tier != tree.tiers.rend(); ++tier) {
      children.push_back(static_cast<unsigned int>(tier->children));
      parents.push_back(static_cast<unsigned int>(tier->parents));
      links.push_back(static_cast<unsigned int>(tier->links));
    }
    const sg::FatTreeParams shape(static_cast<unsigned int>(tree.tiers.size()), children, parents, links);
    sg::create_fatTree_zone("network", nullptr, shape, single_nodes(),
                            tree.tiers.front().bandwidth * gigabyte, cluster_.link_latency_seconds, both_ways)
        ->seal();
  }

  void build(const Network::Cartesian& box) {
    // SimGrid counts the first dimension fastest.
    const Coordinates extents(box.extents.rbegin(), box.extents.rend());
    double fastest = 0;
    for (const Network::Pattern& pattern : box.bandwidths)
      fastest = std::max(fastest, *std::max_element(pattern.begin(), pattern.end()));
    fastest *= gigabyte;
    sg::create_torus_zone("network", nullptr, extents,
                          box.hosts == 1 ? single_nodes() : shared_routers(box.hosts, fastest), fastest,
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

  void build(const Network::Dragonfly& dragonfly) {
    const auto count = [](Count number) { return static_cast<unsigned int>(number); };
    const sg::DragonflyParams shape({count(dragonfly.groups), 1}, {1, 1}, {count(dragonfly.routers), 1},
                                    count(dragonfly.hosts));
    sg::create_dragonfly_zone("network", nullptr, shape, single_nodes(),
                              dragonfly.terminal_bandwidth * gigabyte, cluster_.link_latency_seconds,
                              both_ways)
        ->seal();
    for_links("green_link",
              [&](sg::Link* link) { link->set_bandwidth(dragonfly.local_bandwidth * gigabyte); });
    // One link stands for all between two groups.
    if (dragonfly.groups == 1) return;
    const double between_groups = static_cast<double>(dragonfly.routers * dragonfly.global_links) /
                                  static_cast<double>(dragonfly.groups - 1);
    for_links("blue_link", [&](sg::Link* link) {
      link->set_bandwidth(between_groups * dragonfly.global_bandwidth * gigabyte);
    });
  }

  const Cluster& cluster_;
  std::vector<sg::Host*> hosts_;
};

}  // namespace

std::vector<sg::Host*> build_platform(const Cluster& cluster) { return Builder(cluster).build(); }

}  // namespace halocline::simulate
