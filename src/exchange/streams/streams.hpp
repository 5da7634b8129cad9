// SPDX-License-Identifier: BSD-3-Clause
// Streams: the ways of blocks between a process and its neighbours, for calls on which nobody agrees.
//
// Between two processes all blocks follow each other in the order in which calls are made, which is the same
// on both sides: the n-th call of the one is the n-th of the other. Inside a node they go through shared
// memory, between nodes as messages. So no process has to know what others pass to their calls, nor to wait
// for one that is not its neighbour.
#pragma once

#include "exchange/neighborhood/peers.hpp"
#include "exchange/progress/progress.hpp"
#include "exchange/streams/request_calls.hpp"
#include "exchange/streams/stream_flows.hpp"
#include "exchange/streams/stream_memory.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace halocline::exchange {

/// Another process, with the blocks that go to it and come from it, by their place in the arguments of a
/// call.
struct StreamPeer {
  Rank rank;
  std::vector<int> out;  ///< Increasing: the order in which they are sent.
  std::vector<std::vector<int>>
      in;  ///< For each kind of call, in the order in which the other one sends them.
  // Null where blocks go as messages.
  std::unique_ptr<StreamWriter> writer;
  std::unique_ptr<StreamReader> reader;
};

/// Those of one communicator.
class Streams {
 public:
  /// No neighbours.
  Streams() = default;
  /// `comm` is for these streams alone. All kinds of calls expect blocks in increasing order so far. Local.
  Streams(MPI_Comm comm, const Neighbours& neighbours, const std::vector<int>& on_node, std::size_t kinds,
          const RequestCalls& calls);

  /// In calls of that kind, of two blocks of one process the one that is `earlier` was sent first.
  void expect(std::size_t kind, const std::function<bool(int, int)>& earlier);
  /// Through shared memory from now on, where there is some; waits for neighbours on this node the first
  /// time.
  void use_memory();

  /// Other processes, each once.
  [[nodiscard]] std::vector<StreamPeer>& on_node() { return on_node_; }
  [[nodiscard]] std::vector<StreamPeer>& off_node() { return off_node_; }
  /// What the process sends to itself; its rank means nothing.
  [[nodiscard]] const StreamPeer& own() const { return own_; }

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const RequestCalls& calls() const { return calls_; }
  [[nodiscard]] Progress& progress() const { return *progress_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  RequestCalls calls_;
  std::vector<StreamPeer> on_node_, off_node_;
  StreamPeer own_{};
  std::unique_ptr<StreamMemory> memory_;
  std::shared_ptr<Progress> progress_;
};

}  // namespace halocline::exchange
