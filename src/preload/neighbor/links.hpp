// The neighbours of one communicator, and the ways that blocks take to them.
//
// No agreement is needed for a call: between two processes all blocks follow each other in the order in which
// the program calls collectives, which is the same on both sides. Inside a node they go through a stream in
// shared memory, between nodes as messages. So one process never has to know what the others pass to their
// calls.
//
// Nor does it have to wait for a process that is not its neighbour. What concerns all processes is agreed
// when the communicator is made, or in a call on one whose processes are all connected; streams are set up
// between neighbours. So a process without edges may leave out calls, which the standard forbids and MPIs
// allow.
#pragma once

#include "exchange/memory/channel.hpp"
#include "mpi/handles/handle.hpp"
#include "preload/neighbor/node_mates.hpp"
#include "preload/neighbor/stream_memory.hpp"
#include "preload/neighbor/topology.hpp"
#include "preload/process/comm_errors.hpp"

#include <array>
#include <memory>
#include <optional>
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

enum class Form { blocking, non_blocking, persistent };
constexpr std::size_t forms = 3;

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
  /// Makes links and keeps them on `comm`. Where the processes cannot all have them, what is kept is not
  /// usable. Collective over `comm`, which has a topology: one reduction and a communicator; exchanges for
  /// each form of call where processes are neighbours twice; and a split, if it is not known yet which
  /// processes of `parent` share memory. @pre `parent` has the same processes
  static Links& make(MPI_Comm comm, MPI_Comm parent);

  Links(MPI_Comm comm, MPI_Comm parent);

  /// Why calls of a form are the system's; null if they are ours. The same on all processes.
  [[nodiscard]] const char* why_not(Form form) const { return why_not_[static_cast<std::size_t>(form)]; }

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

  /// Before each blocking call. The first one waits for the neighbours on this node: only blocking calls have
  /// streams in shared memory.
  void expect_blocking();
  /// Before each persistent call. Its number, which is the same on all neighbours, since all calls on a
  /// communicator come in the same order: it is never given again. Nothing if there are no more. Local.
  [[nodiscard]] std::optional<int> next_persistent();
  /// Of this process alone. @pre next_persistent() was called
  [[nodiscard]] MPI_Comm own_comm() const { return own_comm_.get(); }

  /// Those of the program's communicator.
  [[nodiscard]] const CommErrors& errors() const { return errors_; }
  /// Calls the error handler that it has now.
  void raise(int code) const noexcept { errors_.raise(code, comm_.get()); }
  /// The program frees its communicator; requests may still have links.
  void comm_goes() noexcept { errors_.comm_goes(); }

  /// More processes than cores share this node: waiting must not spin.
  [[nodiscard]] bool crowded() const { return crowded_; }
  /// Must messages of blocks with gaps keep one? The same on all processes: truncation_guard.hpp.
  [[nodiscard]] bool keeps_gaps() const { return keeps_gaps_; }

 private:
  void build(MPI_Comm comm, MPI_Comm parent);
  void group();
  void refuse(const char* why);
  void refuse(Form form, const char* why);
  void match_like_the_system(MPI_Comm comm, bool asks_alltoallw);
  void match_like_the_system(MPI_Comm comm, MatchTrial* trial, Call first, bool asks_alltoallw);

  CommErrors errors_;
  std::array<const char*, forms> why_not_{};
  mpi::Comm comm_, own_comm_;
  NodeMates near_;
  std::unique_ptr<StreamMemory> streams_;  ///< From the first blocking call on.
  Neighbors neighbors_;
  std::vector<Target> targets_;
  std::vector<Source> sources_;
  std::unique_ptr<Target> self_target_;
  std::unique_ptr<Source> self_source_;
  int persistent_calls_ = 0;
  bool crowded_ = false, keeps_gaps_ = false;
};

}  // namespace halocline::preload
