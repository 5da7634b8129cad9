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
#include <numeric>
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

/// The numbers of the processes of `node` by their ranks in `comm`. Local.
std::map<int, int> members_of(MPI_Comm node, MPI_Comm comm) {
  mpi::Group here, all;
  HALOCLINE_MPI(Comm_group, node, here.put());
  HALOCLINE_MPI(Comm_group, comm, all.put());
  std::vector<int> numbers(static_cast<std::size_t>(mpi::size(node))), ranks(numbers.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  HALOCLINE_MPI(Group_translate_ranks, here.get(), static_cast<int>(numbers.size()), numbers.data(),
                all.get(), ranks.data());
  std::map<int, int> members;
  for (std::size_t i = 0; i < ranks.size(); ++i) members[ranks[i]] = numbers[i];
  return members;
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

/// Why a process cannot have links, the worst reason last.
enum Obstacle : int { no_obstacle, unusual, several_threads };

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
  } catch (const Error&) {
    why_not_ = "the neighbourhood is unusual";
  }
}

void Links::build(MPI_Comm comm) {
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
  const bool doubles = has_doubles(neighbors_.targets) || has_doubles(neighbors_.sources);
  const auto anywhere =
      largest_anywhere<4>(comm, {obstacle, !may_lose_gaps(comm), !can_be_pending(), doubles});
  if (anywhere[0] != no_obstacle) {
    why_not_ = anywhere[0] == several_threads ? "several threads call MPI" : "the neighbourhood is unusual";
    return;
  }
  may_be_packed_ = anywhere[1] == 0;
  may_be_pending_ = may_be_packed_ && anywhere[2] == 0;
  has_doubles_ = anywhere[3] != 0;
  comm_ = private_copy(comm);
  group();
  if (has_doubles_ && may_be_pending_) match_like_the_system(comm, non_blocking_matches, Call::ialltoall);
}

void Links::expect_blocking(MPI_Comm comm) {
  if (expects_blocking_) return;
  expects_blocking_ = true;
  try {
    if (has_doubles_) match_like_the_system(comm, blocking_matches, Call::alltoall);
    share_memory();
  } catch (const Error&) {
    why_not_ = "the neighbourhood is unusual";
  }
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
  if (has_doubles_) match_like_the_system(comm, persistent_matches, Call::alltoall_init);
  own_comm_ = mpi::split(MPI_COMM_SELF, 0, 0);
}

void Links::match_like_the_system(MPI_Comm comm, MatchTrial* trial, Call first) {
  std::vector<Matches> matches;
  std::optional<Error> error;
  try {
    matches = trial(comm, neighbors_);
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

void Links::share_memory() {
  node_ = mpi::split_shared(comm_.get());
  crowded_ = static_cast<unsigned>(mpi::size(node_.get())) > std::thread::hardware_concurrency();
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
  bool failed = false;
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
    } catch (const Error&) {
      failed = true;
    }
  const bool gets_messages = std::any_of(targets_.begin(), targets_.end(),
                                         [](const Target& target) { return target.stream == nullptr; });
  const auto anywhere = largest_anywhere<2>(comm_.get(), {failed, gets_messages});
  if (anywhere[0] != 0) fail(Fault::internal, "a stream was not found");
  if (!may_be_packed_ && anywhere[1] != 0) why_not_ = "errors are not fatal";
}

}  // namespace halocline::preload
