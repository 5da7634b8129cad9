// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/streams.hpp"

#include "base/numbers.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

StreamPeer stream_peer(Rank rank, std::vector<int> out, const std::vector<int>& in, std::size_t kinds) {
  return {rank, std::move(out), std::vector<std::vector<int>>(kinds, in), nullptr, nullptr};
}

std::vector<StreamPeer> stream_peers(std::vector<Peer>& peers, std::size_t kinds) {
  std::vector<StreamPeer> made;
  made.reserve(peers.size());
  for (Peer& peer : peers) made.push_back(stream_peer(peer.rank, std::move(peer.out), peer.in, kinds));
  return made;
}

}  // namespace

Streams::Streams(MPI_Comm comm, const Neighbours& neighbours, const std::vector<int>& on_node,
                 std::size_t kinds, const RequestCalls& calls)
    : comm_(comm), calls_(calls), progress_(Progress::of_process()) {
  progress_->expect_processes(on_node.size());
  const Rank me = mpi::rank(comm);
  Peers peers = peers_of(neighbours, me, [&](Rank rank) {
    return std::binary_search(on_node.begin(), on_node.end(), to_int(rank));
  });
  on_node_ = stream_peers(peers.on_node, kinds);
  off_node_ = stream_peers(peers.off_node, kinds);
  own_ = stream_peer(me, std::move(peers.own), peers.own_in, kinds);
}

void Streams::expect(std::size_t kind, const std::function<bool(int, int)>& earlier) {
  const auto sort = [&](StreamPeer& peer) { std::sort(peer.in[kind].begin(), peer.in[kind].end(), earlier); };
  std::for_each(on_node_.begin(), on_node_.end(), sort);
  std::for_each(off_node_.begin(), off_node_.end(), sort);
  sort(own_);
}

void Streams::use_memory() {
  if (!memory_) memory_ = std::make_unique<StreamMemory>(comm_, on_node_, calls_);
}

}  // namespace halocline::exchange
