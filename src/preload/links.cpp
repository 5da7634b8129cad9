#include "preload/links.hpp"

#include "exchange/arena_plan.hpp"
#include "halocline/base/error.hpp"
#include "mpi/agree.hpp"
#include "mpi/comm.hpp"
#include "preload/collective.hpp"
#include "preload/comm_attribute.hpp"
#include "preload/lost_gaps.hpp"
#include "preload/one_thread.hpp"
#include "preload/topology.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <thread>

namespace halocline::preload {
namespace {

using exchange::ArenaPlan;
using exchange::ChannelKey;
using exchange::ChannelShape;

/// Shared memory for the streams of one process, about.
constexpr Count stream_bytes = Count{1536} * 1024;
constexpr Count most_chunk_bytes = Count{16} * 1024, least_chunk_bytes = Count{2} * 1024;
constexpr Count chunks = 8;

ChannelShape shape_of(std::size_t streams) {
  const Count share = stream_bytes / chunks / static_cast<Count>(std::max<std::size_t>(streams, 1));
  const Count chunk = std::clamp(share / 64 * 64, least_chunk_bytes, most_chunk_bytes);
  return {chunk, chunk, chunks, 1, 1};
}

bool has_doubles(std::vector<int> ranks) {
  std::erase(ranks, MPI_PROC_NULL);
  std::sort(ranks.begin(), ranks.end());
  return std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end();
}

/// The numbers of the processes of `node` by their ranks in `comm`.
std::map<int, int> members_of(MPI_Comm node, MPI_Comm comm) {
  const int mine = mpi::rank(comm);
  std::vector<int> ranks(static_cast<std::size_t>(mpi::size(node)));
  HALOCLINE_MPI(Allgather, &mine, 1, MPI_INT, ranks.data(), 1, MPI_INT, node);
  std::map<int, int> members;
  for (std::size_t i = 0; i < ranks.size(); ++i) members[ranks[i]] = static_cast<int>(i);
  return members;
}

bool anywhere(MPI_Comm comm, bool here) {
  int mine = here ? 1 : 0, all = 0;
  HALOCLINE_MPI(Allreduce, &mine, &all, 1, MPI_INT, MPI_MAX, comm);
  return all != 0;
}

}  // namespace

std::shared_ptr<Links>* Links::find(MPI_Comm comm) { return CommAttribute<Links>::find(comm); }

Links& Links::make(MPI_Comm comm) {
  auto links = std::make_shared<Links>(comm);
  CommAttribute<Links>::keep(comm, links);
  return *links;
}

Links::Links(MPI_Comm comm) : errors_(comm) {
  try {
    build(comm);
  } catch (const Error& error) {
    why_not_ =
        error.fault() == Fault::unsupported ? "several threads call MPI" : "the neighbourhood is unusual";
  }
}

void Links::build(MPI_Comm comm) {
  // Not a duplicate: that would call the program's functions for its attributes.
  comm_ = mpi::split(comm, 0, mpi::rank(comm));
  neighbors_ = mpi::agreed(comm_.get(), [&] {
    // Threads that call at once would mix up the order of blocks, in ours as in no MPI of the standard.
    if (!one_thread_at_a_time()) fail(Fault::unsupported, "several threads call MPI");
    return neighbors_of(comm);
  });
  node_ = mpi::split_shared(comm_.get());
  crowded_ = static_cast<unsigned>(mpi::size(node_.get())) > std::thread::hardware_concurrency();
  const bool may_be_packed = !anywhere(comm_.get(), !may_lose_gaps(comm));
  may_be_pending_ = may_be_packed && !anywhere(comm_.get(), !can_be_pending());
  group();
  has_doubles_ = anywhere(comm_.get(), has_doubles(neighbors_.targets) || has_doubles(neighbors_.sources));
  if (has_doubles_) match_like_the_system(comm, system_matches, 0);
  share_memory();
  const auto gets_messages = [](const Target& target) { return target.stream == nullptr; };
  if (!may_be_packed && anywhere(comm_.get(), std::any_of(targets_.begin(), targets_.end(), gets_messages)))
    why_not_ = "errors are not fatal";
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

void Links::expect_persistent(MPI_Comm comm) {
  if (own_comm_) return;
  if (has_doubles_)
    match_like_the_system(comm, persistent_matches, static_cast<std::size_t>(Call::alltoall_init));
  own_comm_ = mpi::split(MPI_COMM_SELF, 0, 0);
}

void Links::match_like_the_system(MPI_Comm comm, MatchTrial* trial, std::size_t first_call) {
  std::vector<Matches> matches;
  std::optional<Error> error;
  try {
    matches = trial(comm, neighbors_);
  } catch (const Error& e) {
    error = e;
  }
  mpi::agree(comm_.get(), error);
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

void Links::share_memory() {
  const std::map<int, int> members = members_of(node_.get(), comm_.get());
  if (members.size() > 1) {
    std::vector<Target*> near;
    for (Target& target : targets_)
      if (members.contains(target.rank)) near.push_back(&target);
    ArenaPlan plan;
    for (const Target* const target : near) {
      const int reader = members.at(target->rank);
      plan.add(ChannelKey::Use::direct, 0, 0, shape_of(near.size()), {&reader, 1});
    }
    memory_ = std::make_unique<exchange::NodeMemory>(node_.get());
    arena_ = memory_->allocate(plan.bytes(), [&](std::byte* memory) { plan.fill(memory); });
  }
  std::optional<Error> error;
  // All processes of a node have an arena or none has.
  if (arena_) try {
      const auto stream = [&](int writer, int reader) {
        auto* const arena = arena_->of[static_cast<std::size_t>(members.at(writer))];
        return std::make_unique<Stream>(
            Stream{ArenaPlan::find(arena, {ChannelKey::Use::direct, 0, 0, members.at(reader)}).channel});
      };
      const int me = mpi::rank(comm_.get());
      for (Target& target : targets_)
        if (members.contains(target.rank)) target.stream = stream(me, target.rank);
      for (Source& source : sources_)
        if (members.contains(source.rank)) source.stream = stream(source.rank, me);
    } catch (const Error& e) {
      error = e;
    }
  mpi::agree(comm_.get(), error);
}

}  // namespace halocline::preload
