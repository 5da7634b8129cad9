// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/direct_way.hpp"

#include "base/numbers.hpp"
#include "exchange/flows/channel_flows.hpp"
#include "plan/transport/transport_choice.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

ChannelShape direct_shape(Count message_bytes, std::size_t readers) {
  const plan::Chunks chunks = plan::choose_chunks(message_bytes);
  return {message_bytes, chunks.bytes, chunks.slots, 1, to_int(readers)};
}

std::vector<Peer> spread(std::vector<Peer> peers, Rank rank) {
  std::sort(peers.begin(), peers.end(),
            [rank](const Peer& a, const Peer& b) { return served_before(a.rank, b.rank, rank); });
  return peers;
}

bool on_node(const Site& site, int rank) { return site.context.nodes()[rank] == site.context.node(); }

}  // namespace

std::vector<RoundPlan> direct_rounds(const Blocks& blocks, const std::vector<Peer>& peers, int tag) {
  std::vector<RoundPlan> plans;
  for (const Peer& peer : peers) {
    RoundPlan& plan = plans.emplace_back();
    plan.tag = tag;
    if (!peer.out.empty()) plan.to = to_int(peer.rank);
    if (!peer.in.empty()) plan.from = to_int(peer.rank);
    plan.sends = blocks.sent_to(peer.out);
    for (const int block : peer.in) plan.receives.push_back(blocks.received_from(block));
    if (!blocks.gathered() || peer.in.size() < 2) continue;
    RoundPlan copies;
    copies.after = {to_int(plans.size()) - 1};
    for (std::size_t i = 1; i < plan.receives.size(); ++i)
      copies.copies.emplace_back(plan.receives[0], plan.receives[i]);
    plan.receives.erase(plan.receives.begin() + 1, plan.receives.end());
    plans.push_back(std::move(copies));
  }
  return plans;
}

Rounds* add_rounds(const Site& site, std::span<const RoundPlan> plans, MachineryParts& parts, Count window) {
  if (plans.empty()) return nullptr;
  for (const RoundPlan& plan : plans) {
    if (plan.to == MPI_PROC_NULL) continue;
    Count bytes = 0;
    for (const compile::Part& part : plan.sends) bytes += part.count * part.layout.size();
    count_message(on_node(site, plan.to) ? parts.traffic.node : parts.traffic.network, bytes);
  }
  return &parts.add<Rounds>(plans, site.choice.wire, site.choice.engine, site.context.comm(), parts.requests,
                            window);
}

DirectMessages::DirectMessages(const Site& site, const std::vector<Peer>& peers, int tag)
    : Way(site), plans_(direct_rounds(site.blocks, spread(peers, site.context.rank()), tag)) {
  // One copy by MPI, from and to memory that a device has pinned, rather than one for each fragment.
  const auto& device = site.blocks.device;
  if (!device || !device->everywhere || device->choice().messages_on_device) return;
  for (RoundPlan& plan : plans_) plan.whole = on_node(site, plan.to == MPI_PROC_NULL ? plan.from : plan.to);
}

void DirectMessages::add_senders(const Arenas& /*arenas*/, MachineryParts& parts) const {
  const auto processes = count_of(context().members());
  const Count window = plan::choose_window(site_.choice.costs->between_nodes, processes);
  Rounds* const rounds =
      add_rounds(site_, plans_, parts, context().several_nodes() ? window : Rounds::unlimited);
  if (!overlaps_ || rounds == nullptr) return;
  rounds->stage_on(*blocks().device);
  parts.staged = rounds;
}

void DirectChannels::plan(ArenaPlan& arena) const {
  std::vector<int> readers;
  for (const Peer& peer : peers_) {
    if (peer.out.empty()) continue;
    const int reader = readers.emplace_back(context().member(peer.rank));
    if (!blocks().gathered())
      arena.add(Use::direct, 0, 0, direct_shape(blocks().message_bytes(peer.out), 1), {&reader, 1});
  }
  if (blocks().gathered() && !readers.empty())
    arena.add(Use::direct, 0, 0, direct_shape(blocks().bytes_out.front(), readers.size()), readers);
}

void DirectChannels::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  bool written = false;
  for (const Peer& peer : peers_) {
    if (peer.out.empty()) continue;
    count_message(parts.traffic.node, blocks().message_bytes(peer.out));
    if (blocks().gathered() && written) continue;  // all read the same channel
    Pieces pieces{{0, engine().packer(blocks().sent_to(peer.out))}};
    parts.add<ChannelWriter>(arenas.find(rank(), Use::direct, peer.rank).channel, 0, std::move(pieces));
    written = true;
  }
}

void DirectChannels::add_receivers(const Arenas& arenas, MachineryParts& parts) const {
  for (const Peer& peer : peers_) {
    if (peer.in.empty()) continue;
    if (const auto found = arenas.look_up(peer.rank, Use::direct, rank()))
      parts.add<ChannelReader>(found->channel, found->number, taken_from(peer.in));
  }
}

/// All blocks of a message one behind the other; of what was gathered, all the same one.
Pieces DirectChannels::taken_from(const std::vector<int>& in) const {
  Pieces pieces;
  std::vector<compile::Part> parts;
  for (const int block : in) {
    parts.push_back(blocks().received_from(block));
    if (!blocks().gathered()) continue;
    pieces.push_back({0, engine().packer(parts)});
    parts.clear();
  }
  if (!parts.empty()) pieces.push_back({0, engine().packer(parts)});
  return pieces;
}

}  // namespace halocline::exchange
