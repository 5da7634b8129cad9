// Who sends what to whom: all processes and nodes must see it alike without asking each other.

#include "exchange/neighborhood/peers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>

namespace halocline::exchange {
namespace {

using Random = std::mt19937_64;

/// A grid whose processes are spread over nodes at random, and a neighbourhood.
struct World {
  Grid grid;
  Stencil offsets;
  NodeMap nodes;

  [[nodiscard]] std::string to_text() const {
    std::string text = grid.to_text() + " offsets " + offsets.to_text() + " nodes";
    for (const int node : nodes.node_of) text += " " + std::to_string(node);
    return text;
  }
  [[nodiscard]] std::vector<Rank> members(int node) const {
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < grid.size(); ++rank)
      if (nodes[rank] == node) ranks.push_back(rank);
    return ranks;
  }
  [[nodiscard]] Peers peers(Rank rank) const {
    return peers_of(neighbours_of(grid, offsets, rank), rank, nodes);
  }
};

World random_world(Random& random) {
  const auto below = [&](Count bound) {
    return static_cast<Count>(random() % static_cast<std::uint64_t>(bound));
  };
  static constexpr Count sizes[] = {1, 2, 3, 4, 5, 7};
  const auto dimensions = static_cast<std::size_t>(1 + below(3));
  Counts extents;
  Periodicity periodic;
  for (std::size_t d = 0; d < dimensions; ++d) {
    extents.push_back(sizes[below(dimensions == 3 ? 4 : 6)]);
    periodic.push_back(below(2) == 0);
  }
  const Count reach = 1 + below(4);
  std::vector<Offset> offsets(static_cast<std::size_t>(1 + below(9)));
  for (Offset& offset : offsets)
    for (std::size_t d = 0; d < dimensions; ++d) offset.push_back(below(2 * reach + 1) - reach);
  Grid grid(extents, periodic);
  NodeMap nodes;
  const Count number = 1 + below(std::min<Count>(grid.size(), 6));
  for (Rank rank = 0; rank < grid.size(); ++rank) nodes.node_of.push_back(static_cast<int>(below(number)));
  return {grid, Stencil(offsets), nodes};
}

template <class Check>
void in_random_worlds(std::uint64_t seed, int worlds, const Check& check) {
  Random random(seed);
  for (int i = 0; i < worlds && !testing::Test::HasFailure(); ++i) {
    const World world = random_world(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + " world " + std::to_string(i) + ": " + world.to_text());
    check(world, random);
  }
}

/// Every (sender, receiver, block), straight from the definition: one coordinate after the other.
using Delivery = std::tuple<Rank, Rank, int>;
std::vector<Delivery> deliveries(const World& world) {
  std::vector<Delivery> all;
  for (Rank from = 0; from < world.grid.size(); ++from)
    for (Rank to = 0; to < world.grid.size(); ++to) {
      const Cell a = world.grid.cell(from), b = world.grid.cell(to);
      for (std::size_t i = 0; i < world.offsets.size(); ++i) {
        bool leads = true;
        for (std::size_t d = 0; d < a.size(); ++d) {
          const Count gap = a[d] + world.offsets.offsets()[i][d] - b[d];
          leads = leads && (world.grid.periodic(d) ? gap % world.grid.extents()[d] == 0 : gap == 0);
        }
        if (leads) all.emplace_back(from, to, static_cast<int>(i));
      }
    }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_increasing(const std::vector<Peer>& peers) {
  for (std::size_t i = 0; i < peers.size(); ++i) {
    EXPECT_TRUE(i == 0 || peers[i - 1].rank < peers[i].rank);
    EXPECT_TRUE(std::is_sorted(peers[i].out.begin(), peers[i].out.end()));
    EXPECT_TRUE(std::is_sorted(peers[i].in.begin(), peers[i].in.end()));
  }
}

TEST(Peers, senders_send_what_the_offsets_say) {
  in_random_worlds(1, 400, [](const World& world, Random&) {
    std::vector<Delivery> sent, received;
    for (Rank rank = 0; rank < world.grid.size(); ++rank) {
      const Peers all = world.peers(rank);
      EXPECT_EQ(all.own_in, all.own);
      for (const int block : all.own) {
        sent.emplace_back(rank, rank, block);
        received.emplace_back(rank, rank, block);
      }
      for (const auto& [peers, here] : {std::pair(all.on_node, true), std::pair(all.off_node, false)}) {
        expect_increasing(peers);
        for (const Peer& peer : peers) {
          EXPECT_NE(peer.rank, rank);
          EXPECT_EQ(world.nodes[peer.rank] == world.nodes[rank], here);
          for (const int block : peer.out) sent.emplace_back(rank, peer.rank, block);
          for (const int block : peer.in) received.emplace_back(peer.rank, rank, block);
        }
      }
    }
    std::sort(sent.begin(), sent.end());
    std::sort(received.begin(), received.end());
    const std::vector<Delivery> expected = deliveries(world);
    EXPECT_EQ(sent, expected);
    EXPECT_EQ(received, expected);
  });
}

TEST(Peers, targets_and_sources_may_differ_in_number) {
  const auto is_on_node = [](Rank rank) { return rank < 4; };
  const Peers peers = peers_of({{5, 2, -1, 3, 2, 3}, {1, 3, -1, 9, 9, 5, 3, 2, 3}}, 3, is_on_node);
  EXPECT_EQ(peers.own, (std::vector{3, 5}));
  EXPECT_EQ(peers.own_in, (std::vector{1, 6, 8}));
  EXPECT_EQ(peers.on_node, (std::vector<Peer>{{1, {}, {0}}, {2, {1, 4}, {7}}}));
  EXPECT_EQ(peers.off_node, (std::vector<Peer>{{5, {0}, {5}}, {9, {}, {3, 4}}}));
}

TEST(Peers, both_sides_of_a_pair_see_the_same_blocks_in_the_same_order) {
  in_random_worlds(2, 400, [](const World& world, Random&) {
    std::map<std::pair<Rank, Rank>, Peer> seen;
    for (Rank rank = 0; rank < world.grid.size(); ++rank) {
      const Peers all = world.peers(rank);
      for (const auto& peers : {all.on_node, all.off_node})
        for (const Peer& peer : peers) seen.emplace(std::pair(rank, peer.rank), peer);
    }
    for (const auto& [pair, peer] : seen) {
      const auto other = seen.find({pair.second, pair.first});
      ASSERT_NE(other, seen.end());
      EXPECT_EQ(peer.out, other->second.in);
      EXPECT_EQ(peer.in, other->second.out);
    }
  });
}

TEST(Peers, both_nodes_of_a_link_see_it_alike_and_agree_on_its_gateways) {
  in_random_worlds(3, 400, [](const World& world, Random&) {
    std::map<std::pair<int, int>, Shipment> out, in;
    std::vector<Delivery> carried, expected;
    for (const Delivery& delivery : deliveries(world))
      if (world.nodes[std::get<0>(delivery)] != world.nodes[std::get<1>(delivery)])
        expected.push_back(delivery);
    const int nodes = *std::max_element(world.nodes.node_of.begin(), world.nodes.node_of.end()) + 1;
    for (int node = 0; node < nodes; ++node) {
      const Shipments shipments =
          shipments_of(world.grid, world.offsets, world.nodes, world.members(node), node);
      for (const Shipment& shipment : shipments.out) {
        EXPECT_EQ(shipment.from, node);
        out.emplace(std::pair(shipment.from, shipment.to), shipment);
        for (const ShippedBlock& shipped : shipment.blocks)
          carried.emplace_back(shipped.writer, shipped.reader, shipped.block);
      }
      for (const Shipment& shipment : shipments.in) {
        EXPECT_EQ(shipment.to, node);
        in.emplace(std::pair(shipment.from, shipment.to), shipment);
      }
    }
    std::sort(carried.begin(), carried.end());
    EXPECT_EQ(carried, expected);
    ASSERT_EQ(out.size(), in.size());
    for (const auto& [ends, shipment] : out) {
      ASSERT_TRUE(in.contains(ends));
      const Shipment& seen_there = in.at(ends);
      EXPECT_EQ(shipment.blocks, seen_there.blocks);
      EXPECT_TRUE(std::is_sorted(shipment.blocks.begin(), shipment.blocks.end()));
      EXPECT_EQ(shipment.sending_gateway(), seen_there.sending_gateway());
      EXPECT_EQ(shipment.receiving_gateway(), seen_there.receiving_gateway());
      EXPECT_EQ(world.nodes[shipment.sending_gateway()], shipment.from);
      EXPECT_EQ(world.nodes[shipment.receiving_gateway()], shipment.to);
      EXPECT_TRUE(std::ranges::binary_search(shipment.writers(), shipment.sending_gateway()));
      EXPECT_TRUE(std::ranges::binary_search(shipment.readers(), shipment.receiving_gateway()));
    }
  });
}

TEST(Peers, splitting_a_link_keeps_every_block_and_every_reader_or_writer_whole) {
  in_random_worlds(4, 400, [](const World& world, Random& random) {
    for (const int node : {0, 1}) {
      const std::vector<Rank> members = world.members(node);
      const Shipments shipments = shipments_of(world.grid, world.offsets, world.nodes, members, node);
      for (const Shipment& shipment : shipments.out)
        for (Rank ShippedBlock::*by : {&ShippedBlock::reader, &ShippedBlock::writer}) {
          const std::size_t wanted = random() % 6;
          const std::vector<Shipment> parts = split(shipment, wanted, by);
          const std::size_t ends =
              (by == &ShippedBlock::reader ? shipment.readers() : shipment.writers()).size();
          EXPECT_EQ(parts.size(), std::clamp(wanted, std::size_t{1}, ends));
          std::vector<ShippedBlock> all;
          std::map<Rank, int> part_of;
          for (std::size_t p = 0; p < parts.size(); ++p) {
            EXPECT_EQ(parts[p].part, static_cast<int>(p));
            EXPECT_EQ(parts[p].from, shipment.from);
            EXPECT_EQ(parts[p].to, shipment.to);
            EXPECT_FALSE(parts[p].blocks.empty());  // else it had no gateway
            EXPECT_TRUE(std::is_sorted(parts[p].blocks.begin(), parts[p].blocks.end()));
            for (const ShippedBlock& shipped : parts[p].blocks) {
              all.push_back(shipped);
              EXPECT_EQ(part_of.emplace(shipped.*by, parts[p].part).first->second, parts[p].part);
            }
          }
          std::sort(all.begin(), all.end());
          EXPECT_EQ(all, shipment.blocks);
        }
    }
  });
}

TEST(Peers, steps_longer_than_the_grid_wrap_around_or_leave_it) {
  const Grid ring({3}, {true}), line({3}, {false});
  const Count huge = Count{1} << 40;  // 1 modulo 3
  const Stencil offsets(std::vector<Offset>{{4}, {-4}, {huge}, {-huge}, {0}});
  const Neighbours around = neighbours_of(ring, offsets, 1);
  EXPECT_EQ(around.targets, (std::vector<Rank>{2, 0, 2, 0, 1}));
  EXPECT_EQ(around.sources, (std::vector<Rank>{0, 2, 0, 2, 1}));
  const Neighbours along = neighbours_of(line, offsets, 1);
  EXPECT_EQ(along.targets, (std::vector<Rank>{-1, -1, -1, -1, 1}));
  EXPECT_EQ(along.sources, (std::vector<Rank>{-1, -1, -1, -1, 1}));
}

}  // namespace
}  // namespace halocline::exchange
