// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/streamed_comm.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/streams/truncation_guard.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "preload/neighbor/collective.hpp"
#include "preload/neighbor/topology.hpp"
#include "preload/process/comm_attribute.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/one_thread.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/system.hpp"
#include "preload/process/tags.hpp"

#include <algorithm>
#include <optional>

namespace halocline::preload {
namespace {

bool has_doubles(std::vector<int> ranks) {
  std::erase(ranks, MPI_PROC_NULL);
  std::sort(ranks.begin(), ranks.end());
  return std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end();
}

/// The same processes. Not a duplicate: that would call the program's functions for its attributes.
/// Collective.
mpi::Comm private_copy(MPI_Comm comm) {
  mpi::Group group;
  mpi::Comm made;
  HALOCLINE_MPI(Comm_group, comm, group.put());
  HALOCLINE_MPI(Comm_create, comm, group.get(), made.put());
  HALOCLINE_MPI(Comm_set_errhandler, made.get(), MPI_ERRORS_RETURN);
  return made;
}

/// What has to be known of all processes: the largest of each number. One reduction.
template <std::size_t numbers>
std::array<int, numbers> largest_anywhere(MPI_Comm comm, const std::array<int, numbers>& mine) {
  std::array<int, numbers> all{};
  HALOCLINE_MPI(Allreduce, mine.data(), all.data(), to_int(numbers), MPI_INT, MPI_MAX, comm);
  return all;
}

/// Can this process do without gaps in messages of collectives on this communicator? Local.
bool may_lose_gaps(MPI_Comm comm) { return !exchange::writes_beyond_the_end || errors_are_fatal(comm); }

/// MPI may have called us, from inside one of the doors that these calls have.
exchange::RequestCalls past_our_doors() {
  return {HALOCLINE_SYSTEM_BY(Prefix::profiling, Start), HALOCLINE_SYSTEM_BY(Prefix::profiling, Testsome),
          HALOCLINE_SYSTEM_BY(Prefix::profiling, Waitsome), HALOCLINE_SYSTEM_BY(Prefix::profiling, Waitall),
          HALOCLINE_SYSTEM_BY(Prefix::profiling, Request_free)};
}

/// Why a process cannot have streams, the worst reason last.
enum Obstacle : int { no_obstacle, unusual, several_threads, switched_off_somewhere };

}  // namespace

std::shared_ptr<StreamedComm>* StreamedComm::find(MPI_Comm comm) {
  return CommAttribute<StreamedComm>::find(comm);
}

StreamedComm& StreamedComm::make(MPI_Comm comm, MPI_Comm parent) {
  auto made = std::make_shared<StreamedComm>(comm, parent);
  CommAttribute<StreamedComm>::keep(comm, made);
  return *made;
}

StreamedComm::StreamedComm(MPI_Comm comm, MPI_Comm parent) : errors_(comm) {
  try {
    build(comm, parent);
  } catch (const Error&) {
    refuse("the neighbourhood is unusual");
  }
}

void StreamedComm::refuse(const char* why) { why_not_.fill(why); }
void StreamedComm::refuse(Form form, const char* why) { why_not_[to_index(form)] = why; }

void StreamedComm::build(MPI_Comm comm, MPI_Comm parent) {
  int obstacle = no_obstacle;
  try {
    // Threads that call at once would mix up the order of blocks, in ours as in no MPI of the standard.
    if (one_thread_at_a_time())
      neighbors_ = neighbors_of(comm);
    else
      obstacle = several_threads;
  } catch (const std::exception&) {
    obstacle = unusual;
  }
  if (!is_on(Feature::neighbor)) obstacle = switched_off_somewhere;
  const bool doubles = has_doubles(neighbors_.targets) || has_doubles(neighbors_.sources);
  const bool lopsided = neighbors_.targets.size() != neighbors_.sources.size();
  const auto anywhere =
      largest_anywhere<5>(comm, {obstacle, !may_lose_gaps(comm), !can_be_pending(), doubles, lopsided});
  if (anywhere[0] != no_obstacle)
    return refuse(anywhere[0] == switched_off_somewhere ? "HALOCLINE_NEIGHBOR is off"
                  : anywhere[0] == several_threads      ? "several threads call MPI"
                                                        : "the neighbourhood is unusual");
  keeps_gaps_ = anywhere[1] != 0;
  if (anywhere[2] != 0)
    for (const Form form : {Form::non_blocking, Form::persistent})
      refuse(form, "MPI does not call us while it waits");
  comm_ = private_copy(comm);
  const NodeMates near = translated(node_mates(parent), parent, comm);
  keep_node_mates(comm, near);
  streams_ = exchange::Streams(comm_.get(),
                               {{neighbors_.targets.begin(), neighbors_.targets.end()},
                                {neighbors_.sources.begin(), neighbors_.sources.end()}},
                               near, calls, past_our_doors());
  if (anywhere[3] != 0) match_like_the_system(comm, !alltoallw_mixes_up_sides || anywhere[4] == 0);
}

exchange::StreamCall::Options StreamedComm::options(Form form, Call call, int tag) const {
  return {to_index(call), tag, form == Form::persistent ? Life::persistent : Life::once,
          form == Form::blocking, keeps_gaps_};
}

void StreamedComm::start(exchange::StreamCall& call) const {
  // Where senders keep gaps, nobody else has to.
  if (exchange::writes_beyond_the_end && !keeps_gaps_ && call.receives_messages() && !errors_.are_fatal())
    call.guard_receives();
  call.start();
  block_counts().through_memory += call.blocks().through_memory;
  block_counts().as_messages += call.blocks().as_messages;
  block_counts().copied += call.blocks().copied;
}

std::optional<int> StreamedComm::next_persistent() {
  if (!own_comm_) own_comm_ = mpi::split(MPI_COMM_SELF, 0, 0);
  if (persistent_calls_ > mpi::largest_tag() - first_persistent_tag) return std::nullopt;
  return persistent_calls_++;
}

void StreamedComm::match_like_the_system(MPI_Comm comm, bool asks_alltoallw) {
  struct FormTrial {
    Form form;
    MatchTrial* run;
    Call first;
  };
  for (const auto& [form, run, first] :
       {FormTrial{Form::blocking, blocking_matches, Call::alltoall},
        FormTrial{Form::non_blocking, non_blocking_matches, Call::ialltoall},
        FormTrial{Form::persistent, persistent_matches, Call::alltoall_init}})
    try {
      if (why_not(form) == nullptr) match_like_the_system(comm, run, first, asks_alltoallw);
    } catch (const Error&) {
      refuse(form, "the neighbourhood is unusual");
    }
}

void StreamedComm::match_like_the_system(MPI_Comm comm, MatchTrial* trial, Call first, bool asks_alltoallw) {
  std::vector<Matches> matches;
  std::optional<Error> error;
  try {
    matches = trial(comm, neighbors_, asks_alltoallw);
  } catch (const Error& e) {
    error = e;
  }
  mpi::agree(comm_.get(), error);
  for (std::size_t i = 0; i < matches.size(); ++i)
    streams_.expect(to_index(first) + i,
                    [&](int a, int b) { return matches[i][to_index(a)] < matches[i][to_index(b)]; });
}

}  // namespace halocline::preload
