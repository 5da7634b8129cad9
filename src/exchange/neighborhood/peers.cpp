// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/neighborhood/peers.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <map>

namespace halocline::exchange {
namespace {

/// The peer of that rank, in a list that stays sorted.
Peer& peer_of(std::vector<Peer>& peers, Rank rank) {
  const auto place = std::lower_bound(peers.begin(), peers.end(), rank,
                                      [](const Peer& peer, Rank other) { return peer.rank < other; });
  if (place != peers.end() && place->rank == rank) return *place;
  return *peers.insert(place, {rank, {}, {}});
}

std::vector<Shipment> shipments_by_node(std::map<int, std::vector<ShippedBlock>>& by_node, int node,
                                        bool out) {
  std::vector<Shipment> shipments;
  for (auto& [other, blocks] : by_node) {
    std::sort(blocks.begin(), blocks.end());
    shipments.push_back({out ? node : other, out ? other : node, std::move(blocks)});
  }
  return shipments;
}

std::vector<Rank> distinct(const std::vector<ShippedBlock>& blocks, Rank ShippedBlock::*member) {
  std::vector<Rank> ranks;
  ranks.reserve(blocks.size());
  for (const ShippedBlock& shipped : blocks) ranks.push_back(shipped.*member);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace

Neighbours neighbours_of(const Grid& grid, const Stencil& offsets, Rank rank) {
  const Cell cell = grid.cell(rank);
  Neighbours neighbours;
  neighbours.targets.reserve(offsets.size());
  neighbours.sources.reserve(offsets.size());
  for (const Offset& offset : offsets.offsets()) {
    neighbours.targets.push_back(grid.index_at(cell, offset));
    neighbours.sources.push_back(grid.index_at(cell, offset, -1));
  }
  return neighbours;
}

Peers peers_of(const Neighbours& neighbours, Rank rank, const std::function<bool(Rank)>& is_on_node) {
  Peers peers;
  const auto sort_in = [&](const std::vector<Rank>& ranks, std::vector<int>& own,
                           std::vector<int> Peer::*side) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const Rank other = ranks[i];
      const int block = to_int(i);
      if (other == rank)
        own.push_back(block);
      else if (other >= 0)
        (peer_of(is_on_node(other) ? peers.on_node : peers.off_node, other).*side).push_back(block);
    }
  };
  sort_in(neighbours.targets, peers.own, &Peer::out);
  sort_in(neighbours.sources, peers.own_in, &Peer::in);
  return peers;
}

Peers peers_of(const Neighbours& neighbours, Rank rank, const NodeMap& nodes) {
  return peers_of(neighbours, rank, [&](Rank other) { return nodes[other] == nodes[rank]; });
}

std::vector<Rank> Shipment::writers() const { return distinct(blocks, &ShippedBlock::writer); }
std::vector<Rank> Shipment::readers() const { return distinct(blocks, &ShippedBlock::reader); }

Rank Shipment::sending_gateway() const {
  const std::vector<Rank> all = writers();
  return all[to_size(to + part) % all.size()];
}
Rank Shipment::receiving_gateway() const {
  const std::vector<Rank> all = readers();
  return all[to_size(from + part) % all.size()];
}

std::vector<Shipment> split(const Shipment& shipment, std::size_t parts, Rank ShippedBlock::*by) {
  const std::vector<Rank> ranks = distinct(shipment.blocks, by);
  parts = std::clamp(parts, std::size_t{1}, ranks.size());
  std::vector<Shipment> shipments;
  for (std::size_t part = 0; part < parts; ++part)
    shipments.push_back({shipment.from, shipment.to, {}, to_int(part)});
  for (const ShippedBlock& shipped : shipment.blocks) {
    const auto place = std::lower_bound(ranks.begin(), ranks.end(), shipped.*by) - ranks.begin();
    shipments[to_size(place) * parts / ranks.size()].blocks.push_back(shipped);
  }
  return shipments;
}

Shipments shipments_of(const Grid& grid, const Stencil& offsets, const NodeMap& nodes,
                       std::span<const Rank> members, int node) {
  std::map<int, std::vector<ShippedBlock>> out, in;
  for (const Rank member : members) {
    const Neighbours neighbours = neighbours_of(grid, offsets, member);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const Rank target = neighbours.targets[i], source = neighbours.sources[i];
      const int block = to_int(i);
      if (target >= 0 && nodes[target] != node) out[nodes[target]].push_back({target, member, block});
      if (source >= 0 && nodes[source] != node) in[nodes[source]].push_back({member, source, block});
    }
  }
  return {shipments_by_node(out, node, true), shipments_by_node(in, node, false)};
}

}  // namespace halocline::exchange
