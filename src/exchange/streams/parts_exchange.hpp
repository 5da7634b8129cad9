// SPDX-License-Identifier: BSD-3-Clause
// A persistent exchange of parts of memory between any processes of a communicator, without a grid: all that
// one has for another is one message, or goes through memory of the node.
#pragma once

#include "exchange/flows/local_copy.hpp"
#include "exchange/progress/stopwatch.hpp"
#include "exchange/streams/stream_call.hpp"
#include "halocline/exchange/statistics.hpp"
#include "mpi/datatypes/engine_choice.hpp"

#include <memory>
#include <vector>

namespace halocline::exchange {

/// What a process has for another one, and gets from it. Offsets are addresses.
struct PeerParts {
  Rank rank;
  std::vector<compile::Part> out, in;
};

/// What stays in the process, in how many copies and bytes.
struct OwnParts {
  std::vector<LocalCopy> copies;
  Traffic traffic;
};

class PartsExchange {
 public:
  struct Manner {
    bool shared = true;  ///< Through memory on a node; the same on all processes.
    bool timed = false;
    mpi::EngineChoice engine = {};
  };
  /// Each process once in `peers`, not the own one. Collective over `comm`; its end is local.
  /// @pre what a process has for another has as many bytes as that one expects, in the same order
  PartsExchange(MPI_Comm comm, std::vector<PeerParts> peers, OwnParts own, const Manner& manner);
  PartsExchange(const PartsExchange&) = delete;
  PartsExchange& operator=(const PartsExchange&) = delete;
  /// Completes what was started.
  ~PartsExchange();

  /// @pre it is not under way
  void start();
  [[nodiscard]] bool test();
  void wait();

  /// Of all starts that are complete. Times are those of copying within the process.
  [[nodiscard]] ExchangeStatistics statistics() const;

 private:
  struct Ground;

  void finish();

  std::shared_ptr<Ground> ground_;
  std::vector<LocalCopy> own_;
  std::vector<BlockStream> out_, in_;
  Streams streams_;
  std::unique_ptr<StreamCall> call_;
  ExchangeStatistics each_;
  Stopwatch watch_;
  bool under_way_ = false;
  Count complete_starts_ = 0;
};

}  // namespace halocline::exchange
