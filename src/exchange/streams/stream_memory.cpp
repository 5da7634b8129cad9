// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/stream_memory.hpp"

#include "base/numbers.hpp"
#include "exchange/memory/shared_object.hpp"
#include "exchange/streams/streams.hpp"
#include "exchange/ways/arena_plan.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/transport/takeover_choice.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace halocline::exchange {
namespace {

ChannelShape stream_shape(std::size_t streams) {
  const plan::Chunks chunks = plan::choose_stream_chunks(to_count(streams));
  return {chunks.bytes, chunks.bytes, chunks.slots, 1, 1};
}

/// Where a process writes for the one that gets this.
struct Offer {
  Count bytes = 0;  ///< 0: nowhere.
  std::array<char, 64> name{};
};

/// A shared memory object that loses its name when all who need it have it, however that ends.
class NamedObject {
 public:
  explicit NamedObject(Count bytes) : name_(bytes > 0 ? create_object(bytes) : std::string()) {
    if (name_.empty()) return;
    if (std::byte* const base = map_object(name_, bytes, 0, bytes)) mapping_ = MappedObject(base, bytes);
    if (mapping_.base() == nullptr || name_.size() >= offer_.name.size()) return;
    offer_.bytes = bytes;
    std::copy(name_.begin(), name_.end(), offer_.name.begin());
  }
  NamedObject(const NamedObject&) = delete;
  NamedObject& operator=(const NamedObject&) = delete;
  ~NamedObject() { remove_name(name_); }

  [[nodiscard]] const Offer& offer() const { return offer_; }
  [[nodiscard]] MappedObject& mapping() { return mapping_; }

 private:
  std::string name_;
  MappedObject mapping_;
  Offer offer_;
};

/// Sends a value to each of `to` and returns one of each of `from`.
template <class Value>
std::vector<Value> swapped(MPI_Comm comm, int tag, const RequestCalls& calls, const std::vector<int>& to,
                           const std::vector<Value>& values, const std::vector<int>& from) {
  std::vector<Value> received(from.size());
  std::vector<MPI_Request> requests;
  requests.reserve(to.size() + from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    HALOCLINE_MPI(Irecv, &received[i], sizeof(Value), MPI_BYTE, from[i], tag, comm,
                  &requests.emplace_back(MPI_REQUEST_NULL));
  for (std::size_t i = 0; i < to.size(); ++i)
    HALOCLINE_MPI(Isend, &values[i], sizeof(Value), MPI_BYTE, to[i], tag, comm,
                  &requests.emplace_back(MPI_REQUEST_NULL));
  mpi::check(calls.waitall(to_int(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  return received;
}

std::vector<int> ranks_of(const std::vector<StreamPeer*>& peers) {
  std::vector<int> ranks;
  ranks.reserve(peers.size());
  for (const StreamPeer* const peer : peers) ranks.push_back(to_int(peer->rank));
  return ranks;
}

template <class End>
std::unique_ptr<End> stream_in(const MappedObject& memory, int reader) {
  return std::make_unique<End>(
      ArenaPlan::find(memory.base(), {ChannelKey::Use::direct, 0, 0, reader}).channel);
}

}  // namespace

MappedObject::~MappedObject() {
  if (base_ != nullptr) unmap_object(base_, bytes_);
}

StreamMemory::StreamMemory(MPI_Comm comm, std::span<StreamPeer> on_node, const RequestCalls& calls) {
  std::vector<StreamPeer*> targets, sources;
  for (StreamPeer& peer : on_node) {
    if (!peer.out.empty()) targets.push_back(&peer);
    if (!peer.in.front().empty()) sources.push_back(&peer);
  }
  const std::vector<int> target_ranks = ranks_of(targets), source_ranks = ranks_of(sources);
  ArenaPlan plan;
  for (const int rank : target_ranks)
    plan.add(ChannelKey::Use::direct, 0, 0, stream_shape(targets.size()), {&rank, 1});
  NamedObject object(plan.bytes());
  if (object.offer().bytes > 0) plan.fill(object.mapping().base());
  const std::vector<Offer> offers = swapped(comm, offer_tag, calls, target_ranks,
                                            std::vector<Offer>(targets.size(), object.offer()), source_ranks);
  const int me = mpi::rank(comm);
  std::vector<int> verdicts(sources.size(), 0);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (offers[i].bytes == 0) continue;
    std::byte* const base = map_object(offers[i].name.data(), offers[i].bytes, 0, 0);
    if (base == nullptr) continue;
    sources[i]->reader = stream_in<StreamReader>(others_.emplace_back(base, offers[i].bytes), me);
    verdicts[i] = 1;
  }
  const std::vector<int> heard = swapped(comm, verdict_tag, calls, source_ranks, verdicts, target_ranks);
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (heard[i] != 0) targets[i]->writer = stream_in<StreamWriter>(object.mapping(), target_ranks[i]);
  own_ = std::move(object.mapping());
}

}  // namespace halocline::exchange
