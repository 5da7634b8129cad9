// The neighbours of one communicator, and the ways that blocks take to them.
//
// No agreement is needed for a call: between two processes all blocks follow each other in the order in which
// the program calls collectives, which is the same on both sides. Inside a node they go through a stream in
// shared memory, between nodes as messages. So one process never has to know what the others pass to their
// calls.
#pragma once

#include "exchange/channel.hpp"
#include "exchange/node_memory.hpp"
#include "mpi/handle.hpp"
#include "preload/agreed_numbers.hpp"
#include "preload/comm_errors.hpp"
#include "preload/topology.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace halocline::preload {

/// Calls whose blocks the system may match differently where two processes are neighbours twice. An allgather
/// sends the same block to all: it has no order.
enum class Call {
  alltoall,
  alltoallv,
  alltoallw,
  ialltoall,
  ialltoallv,
  ialltoallw,
  alltoall_init,
  alltoallv_init,
  alltoallw_init
};
constexpr std::size_t calls = 9;

/// The one end of a stream through shared memory; chunks are counted over its whole life.
struct Stream {
  exchange::Channel channel;
  exchange::Channel::Chunk next = 0;
};

/// A process that blocks go to.
struct Target {
  int rank;
  std::vector<int> blocks;  ///< By their place in the call's arguments, increasing: the order of the stream.
  std::unique_ptr<Stream> stream;  ///< Null if it gets messages.
};

/// A process that blocks come from.
struct Source {
  int rank;
  std::array<std::vector<int>, calls> blocks;  ///< In the order in which the other one sends them.
  std::unique_ptr<Stream> stream;
};

class Links {
 public:
  /// What was made for `comm`; null if nothing was. Local.
  [[nodiscard]] static std::shared_ptr<Links>* find(MPI_Comm comm);
  /// Makes links and keeps them on `comm`, with what non-blocking calls need. Where the processes cannot all
  /// have them, what is kept is not usable. Collective over `comm`, which has a topology: one reduction and a
  /// communicator, and three exchanges where processes are neighbours twice.
  static Links& make(MPI_Comm comm);

  explicit Links(MPI_Comm comm);

  /// The same on all processes.
  [[nodiscard]] bool usable() const { return why_not_ == nullptr; }
  [[nodiscard]] const char* why_not() const { return why_not_; }

  /// By the blocks of a call.
  [[nodiscard]] const Neighbors& neighbors() const { return neighbors_; }
  /// Other processes; each once.
  [[nodiscard]] std::vector<Target>& targets() { return targets_; }
  [[nodiscard]] std::vector<Source>& sources() { return sources_; }
  /// What the process sends to itself; null if it is not its own neighbour. Both or none.
  [[nodiscard]] const Target* self_target() const { return self_target_.get(); }
  [[nodiscard]] const Source* self_source() const { return self_source_.get(); }

  /// For our messages alone.
  [[nodiscard]] MPI_Comm comm() const { return comm_.get(); }
  /// Are non-blocking calls ours, too? The same on all processes.
  [[nodiscard]] bool may_be_pending() const { return may_be_pending_; }

  /// Before each blocking call on `comm`, after which it may turn out that links are not usable. The first
  /// time collective: only these calls have streams in shared memory.
  void expect_blocking(MPI_Comm comm);
  /// Before each persistent call on `comm`. The first time, and if processes are neighbours twice,
  /// collective.
  void expect_persistent(MPI_Comm comm);
  /// Those of persistent calls.
  [[nodiscard]] AgreedNumbers& numbers() { return numbers_; }
  /// Of this process alone. @pre expect_persistent() was called
  [[nodiscard]] MPI_Comm own_comm() const { return own_comm_.get(); }

  /// Those of the program's communicator.
  [[nodiscard]] const CommErrors& errors() const { return errors_; }
  /// Calls the error handler that it has now.
  void raise(int code) const noexcept { errors_.raise(code, comm_.get()); }
  /// The program frees its communicator; requests may still have links.
  void comm_goes() noexcept { errors_.comm_goes(); }

  /// More processes than cores share this node: waiting must not spin. @pre expect_blocking() was called
  [[nodiscard]] bool crowded() const { return crowded_; }

 private:
  void build(MPI_Comm comm);
  void group();
  void match_like_the_system(MPI_Comm comm, MatchTrial* trial, Call first);
  void share_memory();

  CommErrors errors_;
  const char* why_not_ = nullptr;
  mpi::Comm comm_, node_, own_comm_;
  AgreedNumbers numbers_;
  std::unique_ptr<exchange::NodeMemory> memory_;
  std::unique_ptr<exchange::NodeMemory::Arena> arena_;
  Neighbors neighbors_;
  std::vector<Target> targets_;
  std::vector<Source> sources_;
  std::unique_ptr<Target> self_target_;
  std::unique_ptr<Source> self_source_;
  bool crowded_ = false, may_be_packed_ = false, may_be_pending_ = false, has_doubles_ = false;
  bool expects_blocking_ = false;
};

}  // namespace halocline::preload
