// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/rivals/rival_exchanges.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "mpi/handles/comm.hpp"

#include <cstring>

namespace halocline::tools {
namespace {

constexpr int tag = 77;

int mpi_rank(Rank rank) { return rank < 0 ? MPI_PROC_NULL : to_int(rank); }

std::vector<int> existing(const std::vector<Rank>& ranks) {
  std::vector<int> kept;
  for (const Rank rank : ranks)
    if (rank >= 0) kept.push_back(to_int(rank));
  return kept;
}

}  // namespace

NeighborCollective::NeighborCollective(const RivalProblem& problem) : problem_(problem) {
  const std::vector<int> sources = existing(problem.neighbours.sources);
  const std::vector<int> targets = existing(problem.neighbours.targets);
  HALOCLINE_MPI(Dist_graph_create_adjacent, problem.cart, to_int(sources.size()), sources.data(),
                MPI_UNWEIGHTED, to_int(targets.size()), targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                graph_.put());
}

void NeighborCollective::run() {
  const int bytes = problem_.block_bytes;
  if (problem_.operation == Operation::alltoall)
    HALOCLINE_MPI(Neighbor_alltoall, problem_.send, bytes, MPI_BYTE, problem_.receive, bytes, MPI_BYTE,
                  graph_.get());
  else
    HALOCLINE_MPI(Neighbor_allgather, problem_.send, bytes, MPI_BYTE, problem_.receive, bytes, MPI_BYTE,
                  graph_.get());
}

void PlainMessages::run() {
  const std::size_t neighbours = problem_.neighbours.targets.size();
  requests_.resize(2 * neighbours);
  for (std::size_t i = 0; i < neighbours; ++i)
    HALOCLINE_MPI(Irecv, problem_.received(i), problem_.block_bytes, MPI_BYTE,
                  mpi_rank(problem_.neighbours.sources[i]), tag, problem_.cart, &requests_[i]);
  for (std::size_t i = 0; i < neighbours; ++i)
    HALOCLINE_MPI(Isend, problem_.sent(i), problem_.block_bytes, MPI_BYTE,
                  mpi_rank(problem_.neighbours.targets[i]), tag, problem_.cart, &requests_[neighbours + i]);
  mpi::wait_all(requests_);
}

HandWritten::HandWritten(const RivalProblem& problem) : problem_(problem) {
  const std::size_t ranks = to_size([&] {
    int size = 0;
    HALOCLINE_MPI(Comm_size, problem.cart, &size);
    return size;
  }());
  const exchange::NodeMap one_node{std::vector<int>(ranks, 0)};
  exchange::Peers by_rank = exchange::peers_of(problem.neighbours, problem.rank, one_node);
  own_ = by_rank.own;
  const auto block = to_size(problem.block_bytes);
  for (exchange::Peer& peer : by_rank.on_node) {
    PeerBuffers& made = peers_.emplace_back();
    made.out.resize(peer.out.size() * block);
    made.in.resize(peer.in.size() * block);
    made.blocks = std::move(peer);
  }
}

void HandWritten::run() {
  const auto block = to_size(problem_.block_bytes);
  const bool gather = problem_.operation == Operation::allgather;
  requests_.clear();
  for (PeerBuffers& peer : peers_) {
    if (peer.in.empty()) continue;
    const std::size_t bytes = gather ? block : peer.in.size();
    HALOCLINE_MPI(Irecv, peer.in.data(), to_int(bytes), MPI_BYTE, to_int(peer.blocks.rank), tag,
                  problem_.cart, &requests_.emplace_back());
  }
  const std::size_t receives = requests_.size();
  for (PeerBuffers& peer : peers_) {
    if (peer.out.empty()) continue;
    const std::size_t copies = gather ? 1 : peer.blocks.out.size();
    for (std::size_t i = 0; i < copies; ++i)
      std::memcpy(peer.out.data() + i * block, problem_.sent(to_index(peer.blocks.out[i])), block);
    HALOCLINE_MPI(Isend, peer.out.data(), to_int(copies * block), MPI_BYTE, to_int(peer.blocks.rank), tag,
                  problem_.cart, &requests_.emplace_back());
  }
  for (const int own : own_) {
    const auto i = to_index(own);
    std::memcpy(problem_.received(i), problem_.sent(i), block);
  }
  mpi::wait_all(std::span(requests_).first(receives));
  for (const PeerBuffers& peer : peers_)
    for (std::size_t i = 0; i < peer.blocks.in.size(); ++i)
      std::memcpy(problem_.received(to_index(peer.blocks.in[i])), peer.in.data() + (gather ? 0 : i * block),
                  block);
  mpi::wait_all(std::span(requests_).subspan(receives));
}

}  // namespace halocline::tools
