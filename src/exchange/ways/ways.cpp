// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/ways.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "compile/form/segments.hpp"
#include "exchange/ways/combined_way.hpp"
#include "exchange/ways/device_way.hpp"
#include "exchange/ways/direct_way.hpp"
#include "exchange/ways/node_way.hpp"
#include "exchange/ways/read_way.hpp"
#include "exchange/ways/straight_way.hpp"
#include "plan/transport/schedule_choice.hpp"
#include "plan/transport/transport_choice.hpp"

#include <memory>

namespace halocline::exchange {
namespace {

/// In the order in which they begin: first what has the longest way to go.
using Ways = std::vector<std::unique_ptr<Way>>;

std::vector<int> non_empty(const std::vector<int>& numbers, const Counts& bytes) {
  std::vector<int> kept;
  for (const int block : numbers)
    if (bytes[to_index(block)] > 0) kept.push_back(block);
  return kept;
}

/// Those with something to send or to receive, without empty blocks.
std::vector<Peer> busy(const std::vector<Peer>& peers, const Blocks& blocks) {
  std::vector<Peer> kept;
  for (const Peer& peer : peers) {
    Peer part{peer.rank, non_empty(peer.out, blocks.bytes_out), non_empty(peer.in, blocks.bytes_in)};
    if (!part.out.empty() || !part.in.empty()) kept.push_back(std::move(part));
  }
  return kept;
}

/// How a message goes to a peer of the node.
plan::Transport transport_to(const Peer& peer, const Site& site) {
  const bool seen = site.choice.one_copy && site.blocks.seen_here;
  const bool readable = site.choice.one_copy && site.context.foreign() != nullptr;
  const compile::Canonical form(site.blocks.sent_to(peer.out));
  const auto chosen = plan::choose_transport({true, seen, readable}, form.bytes(), form.runs());
  // What a device lies behind is packed.
  return chosen == plan::Transport::read && !can_be_read(compile::segments(form)) ? plan::Transport::channel
                                                                                  : chosen;
}

/// What goes through the memory of the node: long messages straight or read by the receiver, the others
/// through channels. Each way receives what its senders have told of.
void add_through_memory(const Site& site, const std::vector<Peer>& peers, Ways& ways) {
  std::vector<Peer> straight, read, by_channel;
  for (const Peer& peer : peers) {
    for (std::vector<Peer>* const way : {&straight, &read, &by_channel})
      way->push_back({peer.rank, {}, peer.in});
    if (peer.out.empty()) continue;
    const plan::Transport transport = transport_to(peer, site);
    auto& way = transport == plan::Transport::straight ? straight
                : transport == plan::Transport::read   ? read
                                                       : by_channel;
    way.back().out = peer.out;
  }
  ways.push_back(std::make_unique<StraightCopies>(site, std::move(straight)));
  ways.push_back(std::make_unique<ReadCopies>(site, std::move(read)));
  ways.push_back(std::make_unique<DirectChannels>(site, std::move(by_channel)));
}

Ways ways_of(const Site& site) {
  const Peers& all = site.neighborhood.peers;
  const ScheduleChoice schedule = site.choice.schedule;
  const bool by_gateways = plan::by_gateways(schedule);
  const bool shared = site.choice.shared && site.context.memory() != nullptr;
  Ways ways;
  if (!plan::combines(schedule)) {
    std::vector<Peer> off_node = all.off_node;
    if (by_gateways) {
      auto node_messages = std::make_unique<MessagesByNode>(site);
      off_node = node_messages->left(std::move(off_node));
      ways.push_back(std::move(node_messages));
    }
    std::vector<Peer> peers = shared ? std::vector<Peer>{} : busy(all.on_node, site.blocks);
    for (Peer& peer : busy(off_node, site.blocks)) peers.push_back(std::move(peer));
    auto messages = std::make_unique<DirectMessages>(site, peers, site.context.take_tags(1));
    if (site.blocks.device) {
      // Nobody else may look at what is not packed yet; times are taken of packing alone.
      site.blocks.device->overlaps = !site.choice.timed && !by_gateways &&
                                     (!shared || busy(all.on_node, site.blocks).empty()) &&
                                     non_empty(all.own, site.blocks.bytes_out).empty();
      if (site.blocks.device->overlaps) messages->overlap();
    }
    ways.insert(ways.begin(), std::move(messages));
  } else {
    if (site.blocks.device) site.blocks.device->overlaps = false;
    ways.push_back(std::make_unique<CombinedMessages>(site));
  }
  if (shared) add_through_memory(site, busy(all.on_node, site.blocks), ways);
  if (site.blocks.device) ways.push_back(std::make_unique<DeviceCopies>(site));
  ways.push_back(std::make_unique<OwnCopies>(site, non_empty(all.own, site.blocks.bytes_out)));
  return ways;
}

/// First of all flows, so that neighbours hear of it before this process is busy.
void add_start_signals(const Site& site, MachineryParts& parts) {
  std::vector<int> to, from;
  const Peers& all = site.neighborhood.peers;
  for (const std::vector<Peer>* peers : {&all.on_node, &all.off_node})
    for (const Peer& peer : *peers) {
      if (!peer.out.empty()) to.push_back(to_int(peer.rank));
      if (!peer.in.empty()) from.push_back(to_int(peer.rank));
    }
  parts.start_signals =
      &parts.add<StartSignals>(to, from, site.context.take_tags(1), site.context.comm(), parts.requests);
}

/// The memory of the own channels. False if there is none.
bool allocate(const Site& site, const ArenaPlan& plan, MachineryParts& parts) {
  if (NodeMemory* const memory = site.context.memory()) {
    parts.arena = memory->allocate(plan.bytes(), [&](std::byte* mine) { plan.fill(mine); });
    if (!parts.arena) return false;
    parts.own_channels = plan.channels(parts.arena->mine);
  } else if (plan.bytes() > 0) {
    // The only process of a node is its own gateway and needs no shared memory for it.
    parts.private_arena = std::make_unique<Counter[]>(to_size(plan.bytes()) / sizeof(Counter));
    plan.fill(reinterpret_cast<std::byte*>(parts.private_arena.get()));
  }
  return true;
}

}  // namespace

bool put_together(const Site& site, MachineryParts& parts) {
  Ways ways;
  ArenaPlan plan;
  try {
    if (site.choice.timed) add_start_signals(site, parts);
    ways = ways_of(site);
    for (const std::unique_ptr<Way>& way : ways) way->plan(plan);
  } catch (...) {
    // The others of the node wait in there.
    if (NodeMemory* const memory = site.context.memory()) (void)memory->allocate(0, {});
    throw;
  }
  if (!allocate(site, plan, parts)) return false;
  const Arenas arenas(site.context, parts);
  for (const std::unique_ptr<Way>& way : ways) way->add_senders(arenas, parts);
  for (const std::unique_ptr<Way>& way : ways) way->add_receivers(arenas, parts);
  for (const std::unique_ptr<Flow>& flow : parts.flows) flow->share_copies(parts.crew);
  if (site.choice.timed)
    for (const std::unique_ptr<Flow>& flow : parts.flows) flow->time_copies(&parts.copying);
  return true;
}

}  // namespace halocline::exchange
