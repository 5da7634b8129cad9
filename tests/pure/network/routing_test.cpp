#include "network/routing/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <queue>
#include <set>

namespace halocline::network {
namespace {

const char* const routed_networks[] = {
    "mesh:7",
    "torus:6",
    "torus:2x1x3 hosts:2",
    "mesh:3x4 hosts:2",
    "mesh:4x3x2 periodic:1,0,1 bandwidth:1/2/3,4,5/6",
    "torus:5x4x3 bandwidth:75,75/37.5,120/75",
    "fat-tree:7",
    "fat-tree:3x4",
    "fat-tree:3x4x2 parents:2x3x1 links:1x2x2 bandwidth:4,2,1",
    "dragonfly:1x4x2",
    "dragonfly:5x4x2 bandwidth:4,5,10",
    "dragonfly:9x4x2 global:2",
    "dragonfly:4x3x1 global:5",
    "dragonfly:2x3x2 global:3",
    "dragonfly:7x2x1",
    "dragonfly:6x1x2",
};

TEST(Routing, distances_are_a_metric_and_the_length_of_routes) {
  for (const char* text : routed_networks) {
    SCOPED_TRACE(text);
    const Network network = Network::parse(text);
    const Routing routing(network);
    for (Count a = 0; a < network.nodes(); ++a)
      for (Count b = 0; b < network.nodes(); ++b) {
        const Count apart = routing.distance(a, b);
        ASSERT_EQ(apart, routing.distance(b, a));
        ASSERT_EQ(apart, static_cast<Count>(routing.route(a, b).size()));
        if (a == b) {
          ASSERT_EQ(apart, 0);
        }
        for (Count c = 0; c < network.nodes(); c += 3)
          ASSERT_LE(apart, routing.distance(a, c) + routing.distance(c, b)) << a << " " << b << " " << c;
      }
  }
}

TEST(Routing, links_are_numbered_without_two_uses) {
  for (const char* text : routed_networks) {
    SCOPED_TRACE(text);
    const Network network = Network::parse(text);
    const Routing routing(network);
    for (Count a = 0; a < network.nodes(); ++a)
      for (Count b = 0; b < network.nodes(); ++b) {
        const Counts route = routing.route(a, b);
        EXPECT_EQ(std::set<Count>(route.begin(), route.end()).size(), route.size());
        for (const Count link : route) {
          ASSERT_GE(link, 0);
          ASSERT_LT(link, routing.links());
          ASSERT_GT(routing.bandwidth(link), 0);
        }
        // A message the other way uses other links.
        for (const Count link : routing.route(b, a))
          ASSERT_EQ(std::count(route.begin(), route.end(), link), 0);
      }
  }
}

TEST(Routing, in_a_torus_goes_dimension_by_dimension_the_shorter_way) {
  const Network network = Network::torus({5, 4}, {{10, 20, 30, 40, 50}, {1, 2}});
  const Routing routing(network);
  const auto node = [&](Count x, Count y) { return network.node(Counts{x, y}); };
  // Up along x over the border, from 4 to 0: the link with number 4. Then down along y, from 1 to 0.
  const Counts route = routing.route(node(4, 1), node(0, 0));
  ASSERT_EQ(route.size(), 2U);
  EXPECT_EQ(routing.bandwidth(route[0]), 50);
  EXPECT_EQ(routing.bandwidth(route[1]), 1);
  // Down along x from 0 to 4 is the same link, the other way.
  const Counts down = routing.route(node(0, 0), node(4, 0));
  ASSERT_EQ(down.size(), 1U);
  EXPECT_EQ(routing.bandwidth(down[0]), 50);
  EXPECT_NE(down[0], route[0]);
  EXPECT_EQ(routing.distance(node(0, 0), node(2, 2)), 4);
  EXPECT_EQ(routing.bandwidth(routing.route(node(2, 1), node(2, 2))[0]), 2);
}

TEST(Routing, hosts_of_one_router_are_no_hop_apart) {
  const Routing routing(Network::torus({4, 4}, {}, 2));
  EXPECT_EQ(routing.distance(6, 7), 0);
  EXPECT_EQ(routing.distance(5, 6), 1);
}

TEST(Routing, in_a_fat_tree_climbs_to_the_lowest_common_switch) {
  const Network network = Network::parse("fat-tree:3x4x2 parents:2x2x1 bandwidth:4,2,1");
  const Routing routing(network);
  EXPECT_EQ(routing.distance(0, 1), 2);
  EXPECT_EQ(routing.distance(0, 7), 4);
  EXPECT_EQ(routing.distance(0, 23), 6);
  std::vector<double> bandwidths;
  for (const Count link : routing.route(0, 23)) bandwidths.push_back(routing.bandwidth(link));
  EXPECT_EQ(bandwidths, (std::vector<double>{1, 2, 4, 4, 2, 1}));
  // Routes to different nodes below the same switch spread over its parents.
  std::set<Count> climbs;
  for (Count to = 8; to < 16; ++to) climbs.insert(routing.route(0, to)[2]);
  EXPECT_GT(climbs.size(), 1U);
  // All routes to one node come down over the same links.
  for (Count from = 0; from < 8; ++from)
    EXPECT_EQ(routing.route(from, 12)[3], routing.route(0, 12)[3]) << from;
}

/// A fat tree's links join what they say: the switch on top of the way up is that of the way down.
TEST(Routing, in_a_fat_tree_has_as_many_links_as_it_should) {
  // 6 hosts with 2 links each to a parent, 3 leaf switches with 2 parents.
  const Routing routing(Network::parse("fat-tree:3x2 parents:2x1 links:1x2"));
  EXPECT_EQ(routing.links(), 2 * (3 * 2 + 6 * 2));
}

TEST(Routing, in_a_dragonfly_takes_at_most_one_global_and_two_local_links) {
  for (const char* text : {"dragonfly:9x4x2 bandwidth:4,5,10", "dragonfly:5x4x2 global:3 bandwidth:4,5,10"}) {
    const Network network = Network::parse(text);
    const Routing routing(network);
    std::set<Count> globals;
    for (Count a = 0; a < network.nodes(); ++a)
      for (Count b = 0; b < network.nodes(); ++b) {
        if (a == b) continue;
        std::map<double, int> count;
        for (const Count link : routing.route(a, b)) {
          ++count[routing.bandwidth(link)];
          if (routing.bandwidth(link) == 4) globals.insert(link);
        }
        ASSERT_EQ(count[10], 2);
        ASSERT_EQ(count[4], a / 8 == b / 8 ? 0 : 1);
        ASSERT_LE(count[5], a / 8 == b / 8 ? 1 : 2);
      }
    // Every pair of groups uses its own links.
    EXPECT_GE(globals.size(), network.extents()[0] * (network.extents()[0] - 1));
  }
}

/// A dragonfly wired by hand, as routing.hpp says: where every port of a group leads.
struct WiredDragonfly {
  Network network;
  Network::Dragonfly shape = std::get<Network::Dragonfly>(network.topology());

  struct End {
    Count router, port;
  };

  /// The other end of a global link; nobody's port if it would not join every two groups once more.
  [[nodiscard]] std::optional<End> across(Count group, Count port) const {
    const Count others = shape.groups - 1;
    const Count copy = port / others;
    if ((copy + 1) * others > shape.routers * shape.global_links) return std::nullopt;
    const Count further = port % others + 1;
    const Count there = (group + further) % shape.groups;
    // Seen from there this group is as many further on as are left.
    const Count back = copy * others + (shape.groups - further) - 1;
    return End{there * shape.routers + back / shape.global_links, back};
  }

  [[nodiscard]] Count router_of_port(Count group, Count port) const {
    return group * shape.routers + port / shape.global_links;
  }

  /// By trying every global link between the two groups.
  [[nodiscard]] Count distance(Count from, Count to) const {
    if (from == to) return 0;
    const Count a = from / shape.hosts, b = to / shape.hosts;
    const Count group = a / shape.routers;
    if (group == b / shape.routers) return a == b ? 2 : 3;
    Count least = -1;
    for (Count port = 0; port < shape.routers * shape.global_links; ++port) {
      const auto end = across(group, port);
      if (!end || end->router / shape.routers != b / shape.routers) continue;
      const Count hops = 3 + (router_of_port(group, port) != a ? 1 : 0) + (end->router != b ? 1 : 0);
      if (least < 0 || hops < least) least = hops;
    }
    return least;
  }

  /// Walks a route link by link and tells the node it ends at; -1 where a link does not begin where the last
  /// one ended.
  [[nodiscard]] Count end_of(Count from, const Counts& route) const {
    const Count nodes = network.nodes();
    const Count routers = shape.groups * shape.routers;
    Count at = -1;
    for (const Count link : route) {
      if (link < nodes) {
        if (link != from || at != -1) return -1;
        at = from / shape.hosts;
      } else if (link < 2 * nodes) {
        if ((link - nodes) / shape.hosts != at) return -1;
        return link - nodes;
      } else if (const Count local = link - 2 * nodes; local < routers * shape.routers) {
        if (local / shape.routers != at) return -1;
        at = at / shape.routers * shape.routers + local % shape.routers;
      } else {
        const Count global = local - routers * shape.routers;
        const Count ports = shape.routers * shape.global_links;
        const auto end = across(global / ports, global % ports);
        if (!end || router_of_port(global / ports, global % ports) != at) return -1;
        at = end->router;
      }
    }
    return from;
  }
};

TEST(Routing, in_a_dragonfly_every_link_begins_where_the_last_one_ended) {
  for (const char* text :
       {"dragonfly:16x8x1", "dragonfly:16x8x2 global:5", "dragonfly:9x4x2", "dragonfly:7x2x1",
        "dragonfly:6x1x2", "dragonfly:5x4x2 global:3", "dragonfly:4x3x1 global:5", "dragonfly:2x3x2 global:3",
        "dragonfly:2x1x1", "dragonfly:13x4x1 global:6", "dragonfly:33x8x1"}) {
    SCOPED_TRACE(text);
    const WiredDragonfly wired{Network::parse(text)};
    const Routing routing(wired.network);
    for (Count a = 0; a < wired.network.nodes(); ++a)
      for (Count b = 0; b < wired.network.nodes(); ++b) {
        ASSERT_EQ(routing.distance(a, b), wired.distance(a, b)) << a << " " << b;
        ASSERT_EQ(wired.end_of(a, routing.route(a, b)), b) << a << " " << b;
      }
  }
}

TEST(Routing, in_a_dragonfly_all_cables_lead_back) {
  for (const char* text :
       {"dragonfly:16x8x4", "dragonfly:9x4x2 global:7", "dragonfly:6x1x2", "dragonfly:5x4x2"}) {
    SCOPED_TRACE(text);
    const WiredDragonfly wired{Network::parse(text)};
    const auto& [groups, routers, hosts, global, b1, b2, b3] = wired.shape;
    std::map<std::pair<Count, Count>, Count> cables;
    for (Count group = 0; group < groups; ++group)
      for (Count port = 0; port < routers * global; ++port) {
        const auto end = wired.across(group, port);
        if (!end) continue;
        const auto back = wired.across(end->router / routers, end->port);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->port, port);
        EXPECT_EQ(back->router, wired.router_of_port(group, port));
        ++cables[{group, end->router / routers}];
      }
    // As many between every two groups, and as many as the ports allow.
    EXPECT_EQ(static_cast<Count>(cables.size()), groups * (groups - 1));
    for (const auto& [pair, number] : cables) EXPECT_EQ(number, routers * global / (groups - 1));
  }
}

}  // namespace
}  // namespace halocline::network
