// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/arena_plan.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <cstring>

namespace halocline::exchange {

void ArenaPlan::add(ChannelKey::Use use, int other_node, int part, const ChannelShape& shape,
                    std::span<const int> members, std::vector<std::byte> contents) {
  first_entries_.push_back(entries_.size());
  contents_.push_back(std::move(contents));
  std::int32_t number = 0;
  for (const int member : members)
    entries_.push_back({{use, other_node, part, member}, number++, channel_bytes_, shape});
  channel_bytes_ = checked_add(channel_bytes_, shape.bytes());
}

Count ArenaPlan::directory_bytes() const {
  const auto bytes = to_count(sizeof(Head) + entries_.size() * sizeof(Entry));
  return divide_up(bytes, alignof(Counter)) * to_count(alignof(Counter));
}

Count ArenaPlan::bytes() const {
  return entries_.empty() ? 0 : checked_add(directory_bytes(), channel_bytes_);
}

void ArenaPlan::fill(std::byte* memory) const noexcept {
  const Head head{count_of(entries_)};
  std::memcpy(memory, &head, sizeof head);
  std::byte* place = memory + sizeof head;
  for (Entry entry : entries_) {
    entry.offset += directory_bytes();
    std::memcpy(place, &entry, sizeof entry);
    place += sizeof entry;
  }
  for (std::size_t i = 0; i < first_entries_.size(); ++i) {
    const Channel empty = channel(memory, first_entries_[i]);
    empty.initialize();
    if (!contents_[i].empty()) std::memcpy(empty.slot(0), contents_[i].data(), contents_[i].size());
  }
}

Channel ArenaPlan::channel(std::byte* memory, std::size_t entry) const {
  return Channel(memory + directory_bytes() + entries_[entry].offset, entries_[entry].shape);
}

std::vector<Channel> ArenaPlan::channels(std::byte* memory) const {
  std::vector<Channel> found;
  found.reserve(first_entries_.size());
  for (const std::size_t first : first_entries_)
    if (entries_[first].key.use != ChannelKey::Use::open) found.push_back(channel(memory, first));
  return found;
}

std::optional<FoundChannel> ArenaPlan::look_up(std::byte* memory, const ChannelKey& key) {
  Head head{};
  if (memory != nullptr) std::memcpy(&head, memory, sizeof head);
  const std::byte* place = memory + sizeof head;
  for (Count i = 0; i < head.entries; ++i, place += sizeof(Entry)) {
    Entry entry;
    std::memcpy(&entry, place, sizeof entry);
    if (entry.key == key) return FoundChannel{Channel(memory + entry.offset, entry.shape), entry.number};
  }
  return std::nullopt;
}

FoundChannel ArenaPlan::find(std::byte* memory, const ChannelKey& key) {
  if (const auto found = look_up(memory, key)) return *found;
  fail(Fault::internal, "no channel for process ", key.member, " of the node");
}

}  // namespace halocline::exchange
