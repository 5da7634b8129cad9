// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/device_way.hpp"

#include "exchange/ways/straight_way.hpp"

#include <algorithm>

namespace halocline::exchange {

void DeviceCopies::plan(ArenaPlan& arena) const {
  std::vector<int> writers;
  for (const Rank rank : side().filled_by) writers.push_back(context().member(rank));
  if (!writers.empty()) arena.add(ChannelKey::Use::open, 0, 0, signal_shape(writers.size()), writers);
}

void DeviceCopies::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  if (!side().filled_by.empty())
    parts.add<Announcer>(arenas.find(rank(), ChannelKey::Use::open, side().filled_by.front()).channel);
  if (side().push.empty()) return;
  std::vector<FoundChannel> targets;
  for (const DeviceSide::Target& target : side().fills) {
    count_message(parts.traffic.node, target.bytes);
    targets.push_back(arenas.find(target.rank, ChannelKey::Use::open, rank()));
  }
  if (side().own_bytes > 0) count_message(parts.traffic.self, side().own_bytes);
  parts.add<DevicePush>(blocks().device, std::move(targets));
}

bool DevicePush::advance() {
  if (next_ == end_) return true;
  const auto is_open = [&](FoundChannel& target) { return target.channel.readable(next_); };
  if (!launched_) {
    if (!std::all_of(targets_.begin(), targets_.end(), is_open)) return false;
    side_->push.launch(side_->stream());
    launched_ = true;
  }
  if (!side_->device().finished(side_->stream())) return false;
  for (const FoundChannel& target : targets_) target.channel.release(target.number, next_);
  launched_ = false;
  ++next_;
  return true;
}

}  // namespace halocline::exchange
