#include "preload/neighbor/links.hpp"

#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "preload/neighbor/collective.hpp"
#include "preload/neighbor/topology.hpp"
#include "preload/process/comm_attribute.hpp"
#include "preload/process/one_thread.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/tags.hpp"
#include "preload/process/truncation_guard.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <thread>

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
  HALOCLINE_MPI(Allreduce, mine.data(), all.data(), static_cast<int>(numbers), MPI_INT, MPI_MAX, comm);
  return all;
}

int largest_tag() {
  static const int largest = [] {
    void* value = nullptr;
    int found = 0;
    HALOCLINE_MPI(Comm_get_attr, MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
    return found != 0 ? *static_cast<const int*>(value) : 32767;
  }();
  return largest;
}

/// Why a process cannot have links, the worst reason last.
enum Obstacle : int { no_obstacle, unusual, several_threads, switched_off_somewhere };

}  // namespace

std::shared_ptr<Links>* Links::find(MPI_Comm comm) { return CommAttribute<Links>::find(comm); }

Links& Links::make(MPI_Comm comm, MPI_Comm parent) {
  auto links = std::make_shared<Links>(comm, parent);
  CommAttribute<Links>::keep(comm, links);
  return *links;
}

Links::Links(MPI_Comm comm, MPI_Comm parent) : errors_(comm) {
  try {
    build(comm, parent);
  } catch (const Error&) {
    refuse("the neighbourhood is unusual");
  }
}

void Links::refuse(const char* why) { why_not_.fill(why); }
void Links::refuse(Form form, const char* why) { why_not_[static_cast<std::size_t>(form)] = why; }

void Links::build(MPI_Comm comm, MPI_Comm parent) {
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
  near_ = translated(node_mates(parent), parent, comm);
  keep_node_mates(comm, near_);
  crowded_ = near_.size() > std::thread::hardware_concurrency();
  group();
  if (anywhere[3] != 0) match_like_the_system(comm, !alltoallw_mixes_up_sides || anywhere[4] == 0);
}

void Links::expect_blocking() {
  if (streams_) return;
  const auto near = [&](auto& peers) {
    std::vector<decltype(peers.data())> found;
    for (auto& peer : peers)
      if (std::binary_search(near_.begin(), near_.end(), peer.rank)) found.push_back(&peer);
    return found;
  };
  streams_ = std::make_unique<StreamMemory>(comm_.get(), near(targets_), near(sources_));
}

std::optional<int> Links::next_persistent() {
  if (!own_comm_) own_comm_ = mpi::split(MPI_COMM_SELF, 0, 0);
  if (persistent_calls_ > largest_tag() - first_persistent_tag) return std::nullopt;
  return persistent_calls_++;
}

void Links::group() {
  const auto& [targets, sources] = neighbors_;
  const int me = mpi::rank(comm_.get());
  std::map<int, Target> out;
  std::map<int, Source> in;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Target& target = out[targets[i]];
    target.rank = targets[i];
    target.blocks.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Source& source = in[sources[i]];
    source.rank = sources[i];
    for (std::vector<int>& blocks : source.blocks) blocks.push_back(static_cast<int>(i));
  }
  out.erase(MPI_PROC_NULL);
  in.erase(MPI_PROC_NULL);
  for (auto& [rank, target] : out)
    if (rank == me)
      self_target_ = std::make_unique<Target>(std::move(target));
    else
      targets_.push_back(std::move(target));
  for (auto& [rank, source] : in)
    if (rank == me)
      self_source_ = std::make_unique<Source>(std::move(source));
    else
      sources_.push_back(std::move(source));
}

void Links::match_like_the_system(MPI_Comm comm, bool asks_alltoallw) {
  struct Trial {
    Form form;
    MatchTrial* run;
    Call first;
  };
  for (const auto& [form, run, first] : {Trial{Form::blocking, blocking_matches, Call::alltoall},
                                         Trial{Form::non_blocking, non_blocking_matches, Call::ialltoall},
                                         Trial{Form::persistent, persistent_matches, Call::alltoall_init}})
    try {
      if (why_not(form) == nullptr) match_like_the_system(comm, run, first, asks_alltoallw);
    } catch (const Error&) {
      refuse(form, "the neighbourhood is unusual");
    }
}

void Links::match_like_the_system(MPI_Comm comm, MatchTrial* trial, Call first, bool asks_alltoallw) {
  std::vector<Matches> matches;
  std::optional<Error> error;
  try {
    matches = trial(comm, neighbors_, asks_alltoallw);
  } catch (const Error& e) {
    error = e;
  }
  mpi::agree(comm_.get(), error);
  const auto first_call = static_cast<std::size_t>(first);
  const auto sort = [&](Source& source) {
    for (std::size_t call = 0; call < matches.size(); ++call)
      std::sort(source.blocks[first_call + call].begin(), source.blocks[first_call + call].end(),
                [&](int a, int b) {
                  return matches[call][static_cast<std::size_t>(a)] <
                         matches[call][static_cast<std::size_t>(b)];
                });
  };
  for (Source& source : sources_) sort(source);
  if (self_source_) sort(*self_source_);
}

}  // namespace halocline::preload
