// SPDX-License-Identifier: BSD-3-Clause
// What programs do without Halocline: the exchanges it is measured against.
#pragma once

#include "base/numbers.hpp"
#include "exchange/neighborhood/peers.hpp"
#include "halocline/describe/grid.hpp"
#include "mpi/handles/handle.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace halocline::tools {

/// Equal contiguous blocks, one behind the other in a buffer to send from and one to receive into; the
/// neighbourhood of a process on a grid.
struct RivalProblem {
  MPI_Comm cart;
  Operation operation;
  exchange::Neighbours neighbours;
  Rank rank;
  int block_bytes;
  std::byte* send;
  std::byte* receive;

  [[nodiscard]] std::byte* sent(std::size_t neighbour) const {
    return send + (operation == Operation::allgather ? 0 : neighbour) * to_size(block_bytes);
  }
  [[nodiscard]] std::byte* received(std::size_t neighbour) const {
    return receive + neighbour * to_size(block_bytes);
  }
};

/// MPI_Neighbor_alltoall and MPI_Neighbor_allgather on a distributed graph.
class NeighborCollective {
 public:
  explicit NeighborCollective(const RivalProblem& problem);
  void run();

 private:
  RivalProblem problem_;
  mpi::Comm graph_;
};

/// One MPI_Irecv and MPI_Isend for each neighbour.
class PlainMessages {
 public:
  explicit PlainMessages(RivalProblem problem) : problem_(std::move(problem)) {}
  void run();

 private:
  RivalProblem problem_;
  std::vector<MPI_Request> requests_;
};

/// As a careful programmer would write it: one message to each distinct process, packed by hand, and copies
/// for what a process sends to itself.
class HandWritten {
 public:
  explicit HandWritten(const RivalProblem& problem);
  void run();

 private:
  struct PeerBuffers {
    exchange::Peer blocks;
    std::vector<std::byte> out, in;
  };
  RivalProblem problem_;
  std::vector<int> own_;
  std::vector<PeerBuffers> peers_;
  std::vector<MPI_Request> requests_;
};

}  // namespace halocline::tools
