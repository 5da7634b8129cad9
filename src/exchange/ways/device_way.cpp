// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/device_way.hpp"

#include "base/index.hpp"

#include <numeric>
#include <utility>

namespace halocline::exchange {

void DeviceCopies::plan(ArenaPlan& arena) const {
  std::vector<int> writers;
  for (const Rank rank : side().filled_by) writers.push_back(context().member(rank));
  if (!writers.empty()) arena.add(ChannelKey::Use::open, 0, 0, DeviceDoor::shape(writers.size()), writers);
}

void DeviceCopies::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  if (side().filled_by.empty() && side().push.empty()) return;
  std::optional<DeviceDoor> own;
  if (!side().filled_by.empty())
    own = DeviceDoor(arenas.find(rank(), ChannelKey::Use::open, side().filled_by.front()).channel);
  std::vector<DevicePush::Target> targets;
  for (const DeviceSide::Target& target : side().fills) {
    count_message(parts.traffic.node, target.bytes);
    const FoundChannel found = arenas.find(target.rank, ChannelKey::Use::open, rank());
    targets.push_back({DeviceDoor(found.channel), found.number});
  }
  if (side().own_bytes > 0) count_message(parts.traffic.self, side().own_bytes);
  parts.push = &parts.add<DevicePush>(blocks().device, own, std::move(targets));
}

DevicePush::DevicePush(std::shared_ptr<DeviceSide> side, std::optional<DeviceDoor> own,
                       std::vector<Target> targets)
    : side_(std::move(side)), own_(own), targets_(std::move(targets)) {}

void DevicePush::leave_to_stream(RoundNumber round) const {
  if (own_) own_->open(Driver::stream, round);
  for (const Target& target : targets_) target.door.fill(target.number, Driver::stream, round);
}

void DevicePush::begin() {
  round_ = side_->begin_round();
  opened_ = !own_;
  launched_ = told_ = side_->push.empty();
  unknown_.resize(side_->filled_by.size());
  std::iota(unknown_.begin(), unknown_.end(), 0);
  unopened_.resize(targets_.size());
  std::iota(unopened_.begin(), unopened_.end(), std::size_t{0});
  by_host_.clear();
}

bool DevicePush::advance() {
  if (!open()) return false;
  const bool all_known = know_writers();
  return launch() && tell_targets() && all_known && filled_by_streams();
}

bool DevicePush::open() {
  if (opened_) return true;
  if (!side_->ready()) return false;
  own_->open(Driver::host, round_);
  opened_ = true;
  return true;
}

bool DevicePush::know_writers() {
  Signals opening;
  std::erase_if(unknown_, [&](int writer) {
    const std::optional<Driver> driver = own_->filled(writer, round_);
    if (driver == Driver::stream) {
      opening.push_back(of_round(side_->words->opening[to_index(writer)]));
      awaited_.push_back(of_round(side_->words->filled[to_index(writer)]));
    }
    return driver.has_value();
  });
  if (!opening.empty()) side_->device().signal(opening, {}, side_->stream());
  return unknown_.empty();
}

bool DevicePush::launch() {
  if (launched_) return true;
  std::erase_if(unopened_, [&](std::size_t t) {
    const std::optional<Driver> driver = targets_[t].door.opened(round_);
    if (driver == Driver::host) by_host_.push_back(t);
    if (driver == Driver::stream) {
      opened_there_.push_back(of_round(side_->words->opened[t]));
      filled_there_.push_back(of_round(side_->words->filling[t]));
    }
    return driver.has_value();
  });
  if (!unopened_.empty()) return false;
  if (!opened_there_.empty()) side_->device().signal({}, opened_there_, side_->stream());
  side_->push.launch(side_->stream());
  if (!filled_there_.empty()) side_->device().signal(filled_there_, {}, side_->stream());
  opened_there_.clear();
  filled_there_.clear();
  launched_ = true;
  return true;
}

bool DevicePush::tell_targets() {
  if (told_) return true;
  if (!side_->device().finished(side_->stream())) return false;
  for (const std::size_t t : by_host_) targets_[t].door.fill(targets_[t].number, Driver::host, round_);
  told_ = true;
  return true;
}

bool DevicePush::filled_by_streams() {
  if (awaited_.empty()) return true;
  if (!std::exchange(awaiting_, true)) side_->device().signal({}, awaited_, side_->stream());
  if (!side_->device().finished(side_->stream())) return false;
  awaited_.clear();
  awaiting_ = false;
  return true;
}

}  // namespace halocline::exchange
