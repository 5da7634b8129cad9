// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/node_way.hpp"

#include "base/numbers.hpp"
#include "exchange/flows/channel_flows.hpp"
#include "schedule/by_node.hpp"

#include <set>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

FoundChannel outgoing(const Arenas& arenas, const GatewayMessage& message, Rank writer) {
  return arenas.find(message.shipment.sending_gateway(), Use::outgoing, writer, message.shipment.to,
                     message.shipment.part);
}

FoundChannel incoming(const Arenas& arenas, const GatewayMessage& message, Rank reader) {
  return arenas.find(message.shipment.receiving_gateway(), Use::incoming, reader, message.shipment.from,
                     message.shipment.part);
}

}  // namespace

MessagesByNode::MessagesByNode(const Site& site)
    : Way(site),
      first_tag_(site.context.take_tags(schedule::most_node_messages)),
      out_(gateway_messages_of(site.neighborhood.shipments().out, site.blocks, site.choice.longest_by_node)),
      in_(gateway_messages_of(site.neighborhood.shipments().in, site.blocks, site.choice.longest_by_node)) {}

std::vector<Peer> MessagesByNode::left(std::vector<Peer> peers) const {
  std::set<Rank> readers, writers;
  for (const GatewayMessage& message : out_)
    for (const ShippedBlock& shipped : message.shipment.blocks)
      if (shipped.writer == rank()) readers.insert(shipped.reader);
  for (const GatewayMessage& message : in_)
    for (const ShippedBlock& shipped : message.shipment.blocks)
      if (shipped.reader == rank()) writers.insert(shipped.writer);
  for (Peer& peer : peers) {
    if (readers.contains(peer.rank)) peer.out.clear();
    if (writers.contains(peer.rank)) peer.in.clear();
  }
  return peers;
}

std::vector<int> MessagesByNode::members(const std::vector<Rank>& ranks) const {
  std::vector<int> numbers;
  numbers.reserve(ranks.size());
  for (const Rank member : ranks) numbers.push_back(context().member(member));
  return numbers;
}

Remote MessagesByNode::remote(const GatewayMessage& message, Rank gateway) const {
  return {context().comm(), to_int(gateway), first_tag_ + message.shipment.part};
}

void MessagesByNode::plan(ArenaPlan& arena) const {
  for (const GatewayMessage& message : out_)
    if (message.shipment.sending_gateway() == rank())
      arena.add(Use::outgoing, message.shipment.to, message.shipment.part,
                {message.bytes, message.bytes, 2, to_int(message.writers.size()), 1},
                members(message.writers));
  for (const GatewayMessage& message : in_)
    if (message.shipment.receiving_gateway() == rank())
      arena.add(Use::incoming, message.shipment.from, message.shipment.part,
                {message.bytes, message.bytes, 2, 1, to_int(message.readers.size())},
                members(message.readers));
}

void MessagesByNode::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  for (const GatewayMessage& message : in_)
    if (message.shipment.receiving_gateway() == rank())
      parts.add<GatewayReceiver>(incoming(arenas, message, message.readers.front()).channel, parts.requests,
                                 remote(message, message.shipment.sending_gateway()));
  for (const GatewayMessage& message : out_) {
    if (Pieces pieces = message.contribution(blocks(), rank(), engine()); !pieces.empty()) {
      const FoundChannel found = outgoing(arenas, message, rank());
      parts.add<ChannelWriter>(found.channel, found.number, std::move(pieces));
    }
    if (message.shipment.sending_gateway() != rank()) continue;
    count_message(parts.traffic.network, message.bytes);
    parts.add<GatewaySender>(outgoing(arenas, message, message.writers.front()).channel, parts.requests,
                             remote(message, message.shipment.receiving_gateway()));
  }
}

void MessagesByNode::add_receivers(const Arenas& arenas, MachineryParts& parts) const {
  for (const GatewayMessage& message : in_) {
    Pieces pieces = message.share(blocks(), rank(), engine());
    if (pieces.empty()) continue;
    const FoundChannel found = incoming(arenas, message, rank());
    parts.add<ChannelReader>(found.channel, found.number, std::move(pieces));
  }
}

}  // namespace halocline::exchange
