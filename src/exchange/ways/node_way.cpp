// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/node_way.hpp"

#include "exchange/flows/channel_flows.hpp"
#include "schedule/by_node.hpp"

#include <set>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

FoundChannel outgoing(const Arenas& arenas, const Route& route, Rank writer) {
  return arenas.find(route.shipment.sending_gateway(), Use::outgoing, writer, route.shipment.to,
                     route.shipment.part);
}

FoundChannel incoming(const Arenas& arenas, const Route& route, Rank reader) {
  return arenas.find(route.shipment.receiving_gateway(), Use::incoming, reader, route.shipment.from,
                     route.shipment.part);
}

}  // namespace

NodeMessages::NodeMessages(const Site& site)
    : Way(site),
      first_tag_(site.context.take_tags(schedule::most_node_messages)),
      out_(routes_of(site.neighborhood.shipments().out, site.blocks, site.choice.longest_by_node)),
      in_(routes_of(site.neighborhood.shipments().in, site.blocks, site.choice.longest_by_node)) {}

std::vector<Peer> NodeMessages::left(std::vector<Peer> peers) const {
  std::set<Rank> readers, writers;
  for (const Route& route : out_)
    for (const Parcel& parcel : route.shipment.parcels)
      if (parcel.writer == rank()) readers.insert(parcel.reader);
  for (const Route& route : in_)
    for (const Parcel& parcel : route.shipment.parcels)
      if (parcel.reader == rank()) writers.insert(parcel.writer);
  for (Peer& peer : peers) {
    if (readers.contains(peer.rank)) peer.out.clear();
    if (writers.contains(peer.rank)) peer.in.clear();
  }
  return peers;
}

std::vector<int> NodeMessages::members(const std::vector<Rank>& ranks) const {
  std::vector<int> numbers;
  numbers.reserve(ranks.size());
  for (const Rank member : ranks) numbers.push_back(context().member(member));
  return numbers;
}

Remote NodeMessages::remote(const Route& route, Rank gateway) const {
  return {context().comm(), static_cast<int>(gateway), first_tag_ + route.shipment.part};
}

void NodeMessages::plan(ArenaPlan& arena) const {
  for (const Route& route : out_)
    if (route.shipment.sending_gateway() == rank())
      arena.add(Use::outgoing, route.shipment.to, route.shipment.part,
                {route.bytes, route.bytes, 2, static_cast<int>(route.writers.size()), 1},
                members(route.writers));
  for (const Route& route : in_)
    if (route.shipment.receiving_gateway() == rank())
      arena.add(Use::incoming, route.shipment.from, route.shipment.part,
                {route.bytes, route.bytes, 2, 1, static_cast<int>(route.readers.size())},
                members(route.readers));
}

void NodeMessages::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  for (const Route& route : in_)
    if (route.shipment.receiving_gateway() == rank())
      parts.add<GatewayReceiver>(incoming(arenas, route, route.readers.front()).channel, parts.requests,
                                 remote(route, route.shipment.sending_gateway()));
  for (const Route& route : out_) {
    if (Pieces pieces = route.contribution(blocks(), rank(), engine()); !pieces.empty()) {
      const FoundChannel found = outgoing(arenas, route, rank());
      parts.add<ChannelWriter>(found.channel, found.number, std::move(pieces));
    }
    if (route.shipment.sending_gateway() != rank()) continue;
    count_message(parts.traffic.network, route.bytes);
    parts.add<GatewaySender>(outgoing(arenas, route, route.writers.front()).channel, parts.requests,
                             remote(route, route.shipment.receiving_gateway()));
  }
}

void NodeMessages::add_receivers(const Arenas& arenas, MachineryParts& parts) const {
  for (const Route& route : in_) {
    Pieces pieces = route.share(blocks(), rank(), engine());
    if (pieces.empty()) continue;
    const FoundChannel found = incoming(arenas, route, rank());
    parts.add<ChannelReader>(found.channel, found.number, std::move(pieces));
  }
}

}  // namespace halocline::exchange
