// SPDX-License-Identifier: BSD-3-Clause
// What is known of a communicator of the program whose neighbourhood collectives may go through streams.
//
// What concerns all processes is agreed when the communicator is made, or in a call on one whose processes
// are all connected; streams are set up between neighbours. So a process without edges may leave out calls,
// which the standard forbids and MPIs allow.
#pragma once

#include "base/index.hpp"
#include "exchange/streams/stream_call.hpp"
#include "mpi/handles/handle.hpp"
#include "preload/neighbor/call_blocks.hpp"
#include "preload/neighbor/node_mates.hpp"
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
constexpr std::size_t calls = to_index(Call::alltoallw_init) + 1;

enum class Form { blocking, non_blocking, persistent };
constexpr std::size_t forms = to_index(Form::persistent) + 1;

using exchange::Life;

class StreamedComm {
 public:
  /// What was made for `comm`; null if nothing was. Local.
  [[nodiscard]] static std::shared_ptr<StreamedComm>* find(MPI_Comm comm);
  /// Sets `comm` up and keeps that on it. Where not all processes can use it, none does. Collective over
  /// `comm`, which has a topology: one reduction and a communicator; exchanges for each form of call where
  /// processes are neighbours twice; and a split, if it is not known yet which processes of `parent` share
  /// memory. @pre `parent` has the same processes
  static StreamedComm& make(MPI_Comm comm, MPI_Comm parent);

  StreamedComm(MPI_Comm comm, MPI_Comm parent);

  /// Why calls of a form are the system's; null if they are ours. The same on all processes.
  [[nodiscard]] const char* why_not(Form form) const { return why_not_[to_index(form)]; }

  /// By the blocks of a call.
  [[nodiscard]] const Neighbors& neighbors() const { return neighbors_; }
  [[nodiscard]] exchange::Streams& streams() { return streams_; }
  /// Of one call whose messages have that tag. Blocking ones go through shared memory.
  [[nodiscard]] exchange::StreamCall::Options options(Form form, Call call, int tag) const;
  /// Starts a call, and counts its blocks. Where some process went on after errors when the communicator was
  /// set up, whatever is packed keeps a gap (truncation_guard.hpp). Where none did, receives have one if
  /// errors do not end the program now.
  void start(exchange::StreamCall& call) const;

  /// Before each persistent call. Its number, which is the same on all neighbours, since all calls on a
  /// communicator come in the same order: it is never given again. Nothing if there are no more. Local.
  [[nodiscard]] std::optional<int> next_persistent();
  /// Of this process alone. @pre next_persistent() was called
  [[nodiscard]] MPI_Comm own_comm() const { return own_comm_.get(); }

  /// Calls the error handler that it has now.
  void raise(int code) const noexcept { errors_.raise(code, comm_.get()); }
  /// The program frees its communicator; requests may still need it.
  void comm_goes() noexcept { errors_.comm_goes(); }

 private:
  void build(MPI_Comm comm, MPI_Comm parent);
  void refuse(const char* why);
  void refuse(Form form, const char* why);
  void match_like_the_system(MPI_Comm comm, bool asks_alltoallw);
  void match_like_the_system(MPI_Comm comm, MatchTrial* trial, Call first, bool asks_alltoallw);

  CommErrors errors_;
  std::array<const char*, forms> why_not_{};
  mpi::Comm comm_, own_comm_;
  Neighbors neighbors_;
  exchange::Streams streams_;
  int persistent_calls_ = 0;
  bool keeps_gaps_ = false;  ///< The same on all processes.
};

}  // namespace halocline::preload
