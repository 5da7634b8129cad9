// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/read_way.hpp"

#include "base/numbers.hpp"
#include "compile/form/segments.hpp"
#include "compile/packer_state.hpp"
#include "exchange/ways/straight_way.hpp"
#include "plan/transport/transport_choice.hpp"

#include <algorithm>
#include <cstring>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

/// Of a message whose runs are too short where it goes: it comes through a buffer of so many bytes.
constexpr Count buffer_bytes = Count{64} * 1024;

bool is_worth_reading(const compile::Canonical& form) {
  return plan::choose_transport({true, false, true}, form.bytes(), form.runs()) == plan::Transport::read;
}

/// Says "ready" one way and "taken" the other, and has a list of places.
ChannelShape places_shape(Count bytes, std::size_t readers) { return {bytes, bytes, 1, 1, to_int(readers)}; }

std::vector<std::byte> written(const MemoryPlaces& places) {
  std::vector<std::byte> bytes(places.size() * sizeof(Segment));
  std::memcpy(bytes.data(), places.data(), bytes.size());
  return bytes;
}

MemoryPlaces places_in(const Channel& channel) {
  MemoryPlaces places(to_size(channel.shape().message_bytes) / sizeof(Segment));
  std::memcpy(places.data(), channel.slot(0), places.size() * sizeof(Segment));
  return places;
}

/// Bytes [first, first + bytes) of what lies there.
MemoryPlaces part_of(const MemoryPlaces& places, Count first, Count bytes) {
  MemoryPlaces part;
  for (const Segment& place : places) {
    const Count begin = std::clamp(first, Count{0}, place.bytes);
    const Count end = std::clamp(first + bytes, Count{0}, place.bytes);
    if (begin < end) part.push_back({place.offset + begin, end - begin});
    first -= place.bytes;
  }
  return part;
}

}  // namespace

void ReadCopies::plan(ArenaPlan& arena) const {
  std::vector<int> readers;
  for (const Peer& peer : peers_)
    if (!peer.out.empty()) readers.push_back(context().member(peer.rank));
  const auto add = [&](const std::vector<compile::Part>& parts, std::span<const int> members) {
    std::vector<std::byte> contents = written(compile::segments(compile::Canonical(parts)));
    const auto shape = places_shape(count_of(contents), members.size());
    arena.add(Use::places, 0, 0, shape, members, std::move(contents));
  };
  if (blocks().gathered()) {
    if (!readers.empty()) add(blocks().send, readers);
    return;
  }
  auto reader = readers.begin();
  for (const Peer& peer : peers_)
    if (!peer.out.empty()) add(blocks().sent_to(peer.out), {&*reader++, 1});
}

void ReadCopies::add_senders(const Arenas& arenas, MachineryParts& parts) const {
  bool announced = false;
  for (const Peer& peer : peers_) {
    if (peer.out.empty()) continue;
    count_message(parts.traffic.node, blocks().message_bytes(peer.out));
    if (blocks().gathered() && announced) continue;  // all look at the same channel
    parts.add<Announcer>(arenas.find(rank(), Use::places, peer.rank).channel);
    announced = true;
  }
}

void ReadCopies::add_receivers(const Arenas& arenas, MachineryParts& parts) const {
  for (const Peer& peer : peers_) {
    if (peer.in.empty()) continue;
    const auto found = arenas.look_up(peer.rank, Use::places, rank());
    if (!found) continue;
    std::vector<compile::Part> received;
    for (const int block : peer.in) received.push_back(blocks().received_from(block));
    std::vector<compile::Part> also_there;
    if (blocks().gathered()) {
      also_there.assign(received.begin() + 1, received.end());
      received.erase(received.begin() + 1, received.end());
    }
    const long process = context().foreign()->process(context().member(peer.rank));
    parts.add<ForeignReader>(*found, process, received, also_there);
  }
}

ForeignReader::ForeignReader(const FoundChannel& found, long process, const std::vector<compile::Part>& parts,
                             const std::vector<compile::Part>& also_there)
    : channel_(found.channel), number_(found.number), unpacker_(parts) {
  const MemoryPlaces from = places_in(channel_);
  if (is_worth_reading(canonical_of(unpacker_))) {
    reads_.emplace_back(process, from, compile::segments(canonical_of(unpacker_)));
  } else {
    buffer_ = std::make_unique_for_overwrite<std::byte[]>(to_size(buffer_bytes));
    for (Count first = 0; first < unpacker_.bytes(); first += buffer_bytes) {
      const Segment to{to_count(buffer_.get()), std::min(buffer_bytes, unpacker_.bytes() - first)};
      reads_.emplace_back(process, part_of(from, first, to.bytes), std::span(&to, 1));
    }
  }
  for (const compile::Part& part : also_there) copies_.emplace_back(parts.front(), part);
}

void ForeignReader::read() const {
  Count first = 0;
  for (const ForeignCopy& part : reads_) {
    part.copy();
    if (buffer_) unpacker_.unpack(buffer_.get(), nullptr, first, part.bytes());
    first += part.bytes();
  }
}

bool ForeignReader::advance() {
  if (next_ == end_) return true;
  if (!channel_.readable(next_)) return false;
  const Lap lap(stopwatch());
  const Channel::Chunk chunk = next_++;
  try {
    read();
  } catch (...) {
    channel_.release(number_, chunk);  // the writer waits for it whatever happens
    throw;
  }
  channel_.release(number_, chunk);
  for (const LocalCopy& copy : copies_) copy.copy();
  return true;
}

}  // namespace halocline::exchange
