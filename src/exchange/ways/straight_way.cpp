// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/straight_way.hpp"

#include "base/numbers.hpp"
#include "plan/transport/sizes.hpp"

#include <functional>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

/// Small blocks are copied as one unit through a buffer, large ones from place to place.
std::vector<LocalCopy> copies_of(const Blocks& blocks, const std::vector<int>& numbers,
                                 const std::function<compile::Part(int)>& source) {
  std::vector<LocalCopy> copies;
  std::vector<compile::Part> from, to;
  for (const int block : numbers) {
    if (blocks.bytes_received_from(block) > plan::longest_copied_together) {
      copies.emplace_back(source(block), blocks.received_from(block));
      continue;
    }
    from.push_back(source(block));
    to.push_back(blocks.received_from(block));
  }
  if (!from.empty()) copies.emplace_back(from, to);
  return copies;
}

}  // namespace

ChannelShape signal_shape(std::size_t readers) { return {1, 1, 2, 1, to_int(readers)}; }

void StraightCopies::plan(ArenaPlan& arena) const {
  std::vector<int> readers;
  for (const Peer& peer : peers_)
    if (!peer.out.empty()) readers.push_back(context().member(peer.rank));
  if (!readers.empty()) arena.add(Use::signal, 0, 0, signal_shape(readers.size()), readers);
}

void StraightCopies::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  bool announced = false;
  for (const Peer& peer : peers_) {
    if (peer.out.empty()) continue;
    count_message(parts.traffic.node, blocks().message_bytes(peer.out));
    if (!announced) parts.add<Announcer>(arenas.find(rank(), Use::signal, peer.rank).channel);
    announced = true;
  }
}

void StraightCopies::add_receivers(const Arenas& arenas, MachineryParts& parts) const {
  for (const Peer& peer : peers_) {
    if (peer.in.empty()) continue;
    const auto found = arenas.look_up(peer.rank, Use::signal, rank());
    if (!found) continue;
    parts.add<StraightReader>(found->channel, found->number, copies_of(blocks(), peer.in, [&](int block) {
                                return blocks().seen_at(peer.rank, block);
                              }));
  }
}

void OwnCopies::add_senders(const Arenas& /*arenas*/, MachineryParts& parts) const {
  if (own_.empty()) return;
  for (const int block : own_) count_message(parts.traffic.self, blocks().bytes_sent_to(block));
  parts.add<LocalCopies>(copies_of(blocks(), own_, [&](int block) { return blocks().sent_to(block); }));
}

bool StraightReader::advance() {
  if (next_ == end_) return true;
  if (!channel_.readable(next_)) return false;
  const Lap lap(stopwatch());
  share(crew(), load_, [this](std::size_t item, Share part) { copies_[item].copy(part); });
  channel_.release(number_, next_++);
  return true;
}

}  // namespace halocline::exchange
