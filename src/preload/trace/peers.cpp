// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/peers.hpp"

#include "base/numbers.hpp"
#include "preload/trace/session.hpp"

#include <memory>
#include <mutex>

namespace halocline::recorder {
namespace {

// What each thread asked for last: most programs ask for the same one again and again. A handle may come back
// for another communicator, so that all is forgotten when one is freed.
std::atomic<unsigned> generation = 0;
template <class Handle>
struct Last {
  Handle handle{};
  unsigned generation = 0;
  Peers* peers = nullptr;
};
template <class Handle, int which>  // handles of MPICH are all of the same type
thread_local Last<Handle> last;

/// Two threads may see the same communicator for the first time. Not taken in callbacks of MPI, which has
/// locks of its own.
std::mutex making;

// As MPI declares these callbacks.
int copy_nothing(MPI_Comm /*comm*/, int /*key*/, void* /*state*/, void* /*value*/, void* /*copy*/,
                 int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int copy_no_window(MPI_Win /*window*/, int /*key*/, void* /*state*/, void* /*value*/, void* /*copy*/,
                   int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
template <class Handle>
int destroy(Handle /*handle*/, int /*key*/, void* value, void* /*state*/) {
  generation.fetch_add(1, std::memory_order_release);
  if (recording() != nullptr) delete static_cast<Peers*>(value);  // in MPI_Finalize no group can be freed
  return MPI_SUCCESS;
}

int comm_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    HALOCLINE_PMPI(Comm_create_keyval)(copy_nothing, destroy<MPI_Comm>, &made, nullptr);
    return made;
  }();
  return key;
}
int window_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    HALOCLINE_PMPI(Win_create_keyval)(copy_no_window, destroy<MPI_Win>, &made, nullptr);
    return made;
  }();
  return key;
}

/// What is kept with the handle, or is made and kept now.
template <int which, class Handle, class Find, class Make, class Keep>
Peers* found_or_made(Handle handle, const Find& find, const Make& make, const Keep& keep) {
  Last<Handle>& known = last<Handle, which>;
  const unsigned now = generation.load(std::memory_order_acquire);
  if (known.peers != nullptr && known.handle == handle && known.generation == now) [[likely]]
    return known.peers;
  const std::lock_guard lock(making);
  void* kept = nullptr;
  int found = 0;
  if (find(static_cast<void*>(&kept), &found) != MPI_SUCCESS) return nullptr;
  if (found == 0) {
    std::unique_ptr<Peers> made = make();
    if (keep(made.get()) != MPI_SUCCESS) return nullptr;
    kept = made.release();
  }
  known = {handle, now, static_cast<Peers*>(kept)};
  return known.peers;
}

}  // namespace

Peers* Peers::of_comm(Recorder& recorder, MPI_Comm comm) {
  return found_or_made<0>(
      comm,
      [&](void* kept, int* found) { return HALOCLINE_PMPI(Comm_get_attr)(comm, comm_key(), kept, found); },
      [&] {
        std::unique_ptr<Peers> made(new Peers(recorder));
        made->look_at_comm(comm);
        return made;
      },
      [&](Peers* made) { return HALOCLINE_PMPI(Comm_set_attr)(comm, comm_key(), made); });
}

Peers* Peers::of_window(Recorder& recorder, MPI_Win window) {
  return found_or_made<1>(
      window,
      [&](void* kept, int* found) { return HALOCLINE_PMPI(Win_get_attr)(window, window_key(), kept, found); },
      [&] {
        std::unique_ptr<Peers> made(new Peers(recorder));
        made->look_at_window(window);
        return made;
      },
      [&](Peers* made) { return HALOCLINE_PMPI(Win_set_attr)(window, window_key(), made); });
}

void Peers::look_at_comm(MPI_Comm comm) {
  int inter = 0;
  HALOCLINE_PMPI(Comm_test_inter)(comm, &inter);
  HALOCLINE_PMPI(Comm_rank)(comm, &rank_);
  HALOCLINE_PMPI(Comm_size)(comm, &size_);
  is_inter_ = inter != 0;
  if (is_inter_)
    HALOCLINE_PMPI(Comm_remote_group)(comm, &group_);
  else
    HALOCLINE_PMPI(Comm_group)(comm, &group_);
  HALOCLINE_PMPI(Group_size)(group_, &others_);
  compare_with_world();
  if (!is_inter_) find_targets(comm);
}

void Peers::look_at_window(MPI_Win window) {
  HALOCLINE_PMPI(Win_get_group)(window, &group_);
  HALOCLINE_PMPI(Group_size)(group_, &others_);
  compare_with_world();
}

Peers::~Peers() { HALOCLINE_PMPI(Group_free)(&group_); }

void Peers::compare_with_world() {
  MPI_Group all{};
  int result = MPI_UNEQUAL;
  if (HALOCLINE_PMPI(Comm_group)(world(), &all) != MPI_SUCCESS) return;
  is_world_ = HALOCLINE_PMPI(Group_compare)(all, group_, &result) == MPI_SUCCESS && result == MPI_IDENT;
  HALOCLINE_PMPI(Group_free)(&all);
}

Count Peers::world_rank(int rank) const {
  if (is_world_) return rank;
  MPI_Group all{};
  int found = MPI_UNDEFINED;
  if (HALOCLINE_PMPI(Comm_group)(world(), &all) != MPI_SUCCESS) return trace::outside;
  if (HALOCLINE_PMPI(Group_translate_ranks)(group_, 1, &rank, all, &found) != MPI_SUCCESS)
    found = MPI_UNDEFINED;
  HALOCLINE_PMPI(Group_free)(&all);
  return found == MPI_UNDEFINED ? trace::outside : found;
}

Partner* Peers::partner(int rank) {
  if (rank < 0 || rank >= others_) return nullptr;
  {
    const Recorder::Guard guard(*recorder_);
    const auto found = known_.find(rank);
    if (found != known_.end()) [[likely]]
      return found->second;
  }
  Partner* const partner = recorder_->partner(world_rank(rank));
  const Recorder::Guard guard(*recorder_);
  return known_[rank] = partner;
}

void Peers::find_targets(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  HALOCLINE_PMPI(Topo_test)(comm, &topology);
  std::vector<int> ranks;
  if (topology == MPI_CART) {
    int dimensions = 0;
    HALOCLINE_PMPI(Cartdim_get)(comm, &dimensions);
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      int before = MPI_PROC_NULL;
      int after = MPI_PROC_NULL;
      HALOCLINE_PMPI(Cart_shift)(comm, dimension, 1, &before, &after);
      ranks.insert(ranks.end(), {before, after});
    }
  } else if (topology == MPI_GRAPH) {
    int degree = 0;
    HALOCLINE_PMPI(Graph_neighbors_count)(comm, rank_, &degree);
    ranks.resize(to_size(degree));
    HALOCLINE_PMPI(Graph_neighbors)(comm, rank_, degree, ranks.data());
  } else if (topology == MPI_DIST_GRAPH) {
    int sources = 0;
    int targets = 0;
    int weighted = 0;
    HALOCLINE_PMPI(Dist_graph_neighbors_count)(comm, &sources, &targets, &weighted);
    ranks.resize(to_size(targets));
    std::vector<int> other(to_size(sources));
    std::vector<int> weights(to_size(sources)), other_weights(ranks.size());
    HALOCLINE_PMPI(Dist_graph_neighbors)
    (comm, sources, other.data(), weights.data(), targets, ranks.data(), other_weights.data());
  }
  for (const int rank : ranks) targets_.push_back(partner(rank));
}

}  // namespace halocline::recorder
