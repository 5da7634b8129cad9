// SPDX-License-Identifier: BSD-3-Clause
// Persistent, non-blocking exchanges between the processes of a neighbourhood.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/layout.hpp"
#include "halocline/exchange/executor.hpp"
#include "halocline/exchange/neighborhood.hpp"
#include "halocline/exchange/statistics.hpp"
#include "halocline/exchange/team.hpp"
#include "halocline/plan/option_types.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace halocline {
namespace plan {
struct Explanation;  // halocline/plan/explanation.hpp
}

/// `count` elements of a layout at an address.
struct Block {
  void* address;  ///< What is sent is only read.
  Layout layout;
  Count count = 1;
};

/// How messages are handed to MPI. `packed`: by our packers, in one contiguous buffer. `datatype`: as an MPI
/// type of all blocks. `automatic`: whichever should be faster. As words: "auto", "packed", "datatype".
enum class WireFormat { automatic, packed, datatype };

/// Do processes of a node exchange through memory? `buffered`: never straight from the memory of one to that
/// of the other. As words: "off", "buffered", "on".
enum class SharedMemory { off, buffered, on };

/// Are times taken, see ExchangeStatistics; and are those of a halo printed in the end? As words the same.
enum class StatisticsChoice { off, on, print };

/// Environment variables are those of the process with the lowest rank in MPI_COMM_WORLD, but for
/// HALOCLINE_COMPILE, which each reads for itself. All else must be the same on all processes.
struct ExchangeOptions {
  /// If not given, what the key halocline_schedule of `info` says, else the environment variable
  /// HALOCLINE_SCHEDULE, else `automatic`.
  std::optional<ScheduleChoice> schedule = {};
  /// If not given: halocline_wire of `info`, else HALOCLINE_WIRE, else `automatic`.
  std::optional<WireFormat> wire = {};
  /// If not given: halocline_shared of `info`, else HALOCLINE_SHARED, else `on`. Where shared memory cannot
  /// be had processes send messages.
  std::optional<SharedMemory> shared = {};
  /// Neighbours tell each other when they start if times are taken, which costs a message without contents
  /// each. If not given: halocline_statistics of `info`, else HALOCLINE_STATISTICS, else `off`.
  std::optional<StatisticsChoice> statistics = {};
  /// What `automatic` decides by: the same on all processes, no price negative. If not given, what was
  /// measured on this machine (HALOCLINE_PRICES, see docs/prices.md), else what is usual for such a one.
  std::optional<LevelCosts> costs = {};
  /// Further keys: halocline_compile, the engine that packs (else HALOCLINE_COMPILE, else auto);
  /// halocline_reuse, how often the exchange will be started; and halocline_plan (else HALOCLINE_PLAN): the
  /// process with the lowest rank in MPI_COMM_WORLD prints the plan ("print"), or writes it to that file.
  MPI_Info info = MPI_INFO_NULL;
  /// Of the library's own, that many copy what is large, the one that calls among them. Each process for
  /// itself. If not given: halocline_threads of `info`, else HALOCLINE_THREADS, else 1.
  std::optional<int> threads = {};
};

/// An exchange that can be started any number of times, with buffers fixed at creation. Several may be under
/// way at once, on one communicator or several; testing or waiting for any of them moves all.
///
/// Between start and completion what is sent must not be changed and what is received not be touched. A
/// process that has started must come to test or wait without waiting for others by other means first.
/// To be used by one thread at a time; with MPI_THREAD_MULTIPLE several threads may use different ones at
/// once (docs/halo.md), otherwise all exchanges of the process are one thread's at a time. An empty one, made
/// of nothing or moved from, throws Error{invalid_argument} whatever else it is asked for than empty(); it
/// can be assigned to and destroyed.
class HALOCLINE_API Exchange {
 public:
  /// Block i of `send` goes to the process at +offset i, block i of `receive` comes from the one at -offset
  /// i. Where there is no process at that offset the block is not touched. Blocks may differ in size, but
  /// block i has as many bytes in every process, sent and received.
  ///
  /// Collective over the neighbourhood's communicator. Throws the same Error on every rank: invalid_argument
  /// if the blocks are not as many as the offsets, differ in size, or a neighbour's block has no memory (a
  /// null pointer).
  [[nodiscard]] static Exchange alltoall(const Neighborhood& neighborhood, std::span<const Block> send,
                                         std::span<const Block> receive, const ExchangeOptions& options = {});
  /// The one block goes to all neighbours. All blocks have as many bytes.
  [[nodiscard]] static Exchange allgather(const Neighborhood& neighborhood, const Block& send,
                                          std::span<const Block> receive,
                                          const ExchangeOptions& options = {});

  /// An exchange of nothing, until another is assigned to it. Local.
  Exchange() noexcept;
  /// Is it one of nothing, or was it moved from?
  [[nodiscard]] bool empty() const noexcept { return state_ == nullptr; }

  Exchange(Exchange&& other) noexcept;
  Exchange& operator=(Exchange&& other) noexcept;
  /// Completes what was started; local otherwise.
  ~Exchange();

  /// Throws Error{invalid_argument} from one start on until wait() has returned or test() was true, whether
  /// data has come meanwhile or not: the same on every rank and every time.
  void start();
  /// Goes on; true if nothing is under way (any more).
  bool test();
  void wait();

  /// The same with threads of the program, which pack, copy and unpack what is large: an Executor, or all
  /// members of a Team, which call together. What an executor throws, or an Error{invalid_argument} if it
  /// leaves work out, is thrown in the end: the call has done all it had to, so that the exchange is under
  /// way after start(), and complete after wait(). Throws Error{invalid_argument} for an executor of fewer
  /// than one worker, and within its own work.
  void start(const Workers& workers);
  void wait(const Workers& workers);
  void start(const Team::Member& member) {
    member.together([&](const Workers& workers) { start(workers); });
  }
  void wait(const Team::Member& member) {
    member.together([&](const Workers& workers) { wait(workers); });
  }
  /// For all that is done without: as long as the exchange, or until another is set. Throws as above.
  void set_executor(const Workers& workers);

  /// Was it started, and neither waited for nor tested with success since?
  [[nodiscard]] bool active() const;

  /// What was chosen: "direct", "node", "torus", ...
  [[nodiscard]] const std::string& schedule() const;
  /// Do processes of this node exchange through shared memory?
  [[nodiscard]] bool shares_memory() const;

  [[nodiscard]] ExchangeStatistics statistics() const;

  /// What was decided for it, and why, beside what MPI gives by default. Local. Throws
  /// Error{invalid_argument} if all blocks are empty, Error{unsupported} if they differ between processes, as
  /// those of a halo on shares of a mesh that differ: then ask the Halo.
  [[nodiscard]] plan::Explanation plan() const;

 private:
  struct State;
  friend Exchange exchange_of(std::unique_ptr<State> state);
  friend const State& state_of(const Exchange& exchange);

  explicit Exchange(std::unique_ptr<State> state);
  [[nodiscard]] State& state() const;

  std::unique_ptr<State> state_;
};

}  // namespace halocline
