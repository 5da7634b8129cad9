// SPDX-License-Identifier: BSD-3-Clause
// What the arguments of a call of MPI say about what it does. Only arguments that matter on this process are
// looked at: others may be anything. Lists are arrays of C or lists of Fortran's handles.
#pragma once

#include "preload/trace/peers.hpp"
#include "preload/trace/session.hpp"

#include <mpi.h>

namespace halocline::recorder {

/// Who records, and for whom a call is looked at.
class Reader {
 public:
  explicit Reader(Recorder& recorder) : recorder_(&recorder) {}

  [[nodiscard]] static Count size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    return HALOCLINE_PMPI(Type_size_x)(type, &size) == MPI_SUCCESS && size > 0 ? size : 0;
  }
  [[nodiscard]] static Count bytes_of(Count count, MPI_Datatype type) {
    return count > 0 ? count * size_of(type) : 0;
  }

  // Messages.

  [[nodiscard]] SentMessage message(Count count, MPI_Datatype type, int dest, MPI_Comm comm) const {
    if (dest == MPI_PROC_NULL) return {nullptr, Way::message, 0};
    Peers* const peers = Peers::of_comm(*recorder_, comm);
    return {peers == nullptr ? nullptr : peers->partner(dest), Way::message, bytes_of(count, type)};
  }
  [[nodiscard]] static Nothing nothing() { return {}; }
  template <class Requests>
  [[nodiscard]] static Prepared prepared(const Requests& request, Deed deed) {
    return {request[0], std::move(deed)};
  }
  template <class Requests>
  [[nodiscard]] static Started started(const Requests& request) {
    return {request[0]};
  }
  template <class Requests>
  [[nodiscard]] static AllStarted all_started(int count, const Requests& requests) {
    AllStarted started;
    for (int i = 0; i < count; ++i) started.requests.push_back(requests[i]);
    return started;
  }
  template <class Requests>
  [[nodiscard]] static Freed freed(const Requests& request) {
    return {request[0]};
  }

  // Neighbourhood collectives.

  [[nodiscard]] SentMessages to_each(Count count, MPI_Datatype type, MPI_Comm comm) const {
    const Count bytes = bytes_of(count, type);
    return blocks(comm, [&](std::size_t) { return bytes; });
  }
  template <class Counts>
  [[nodiscard]] SentMessages to_each_v(const Counts& counts, MPI_Datatype type, MPI_Comm comm) const {
    const Count size = size_of(type);
    return blocks(comm, [&](std::size_t i) { return counts[i] * size; });
  }
  template <class Counts, class Types>
  [[nodiscard]] SentMessages to_each_w(const Counts& counts, const Types& types, MPI_Comm comm) const {
    return blocks(comm, [&](std::size_t i) { return bytes_of(counts[i], types[i]); });
  }

  // One-sided.

  [[nodiscard]] Access put(Count count, MPI_Datatype type, int target, MPI_Win window) const {
    return access(
        target, window, [&] { return bytes_of(count, type); }, [] { return Count{-1}; });
  }
  [[nodiscard]] Access got(Count count, MPI_Datatype type, int target, MPI_Win window) const {
    return access(
        target, window, [] { return Count{-1}; }, [&] { return bytes_of(count, type); });
  }
  [[nodiscard]] Access got_and_put(Count count, MPI_Datatype type, Count got_count, MPI_Datatype got_type,
                                   int target, MPI_Op op, MPI_Win window) const {
    return access(
        target, window, [&] { return op == no_op() ? Count{-1} : bytes_of(count, type); },
        [&] { return bytes_of(got_count, got_type); });
  }

  /// Both values go there, and one comes back.
  [[nodiscard]] Access compared(MPI_Datatype type, int target, MPI_Win window) const {
    return access(
        target, window, [&] { return bytes_of(2, type); }, [&] { return bytes_of(1, type); });
  }

  // Collectives: what this process hands in.

  [[nodiscard]] static Contribution in(Collective kind, Count count, MPI_Datatype type) {
    return {kind, bytes_of(count, type)};
  }
  [[nodiscard]] static Contribution barrier() { return {Collective::barrier, 0}; }
  [[nodiscard]] Contribution bcast(Count count, MPI_Datatype type, int root, MPI_Comm comm) const {
    return {Collective::bcast, is_root(root, comm) ? bytes_of(count, type) : 0};
  }
  [[nodiscard]] static Contribution reduce(Count count, MPI_Datatype type, int root) {
    return {Collective::reduce, only_receives(root) ? 0 : bytes_of(count, type)};
  }
  [[nodiscard]] static Contribution gather(const void* sent, Count count, MPI_Datatype type,
                                           Count in_place_count, MPI_Datatype in_place_type, int root) {
    if (only_receives(root)) return {Collective::gather, 0};
    return own_block(Collective::gather, sent, count, type, in_place_count, in_place_type);
  }
  template <class Counts>
  [[nodiscard]] Contribution gatherv(const void* sent, Count count, MPI_Datatype type,
                                     const Counts& in_place_counts, MPI_Datatype in_place_type, int root,
                                     MPI_Comm comm) const {
    if (sent == MPI_IN_PLACE) return own_of(Collective::gather, in_place_counts, in_place_type, comm);
    return {Collective::gather, only_receives(root) ? 0 : bytes_of(count, type)};
  }
  [[nodiscard]] Contribution scatter(Count count, MPI_Datatype type, int root, MPI_Comm comm) const {
    return {Collective::scatter, is_root(root, comm) ? others(comm) * bytes_of(count, type) : 0};
  }
  template <class Counts>
  [[nodiscard]] Contribution scatterv(const Counts& counts, MPI_Datatype type, int root,
                                      MPI_Comm comm) const {
    return {Collective::scatter, is_root(root, comm) ? sum_of(counts, others(comm)) * size_of(type) : 0};
  }
  [[nodiscard]] static Contribution allgather(const void* sent, Count count, MPI_Datatype type,
                                              Count in_place_count, MPI_Datatype in_place_type) {
    return own_block(Collective::allgather, sent, count, type, in_place_count, in_place_type);
  }
  template <class Counts>
  [[nodiscard]] Contribution allgatherv(const void* sent, Count count, MPI_Datatype type,
                                        const Counts& in_place_counts, MPI_Datatype in_place_type,
                                        MPI_Comm comm) const {
    if (sent == MPI_IN_PLACE) return own_of(Collective::allgather, in_place_counts, in_place_type, comm);
    return in(Collective::allgather, count, type);
  }
  [[nodiscard]] Contribution alltoall(const void* sent, Count count, MPI_Datatype type, Count in_place_count,
                                      MPI_Datatype in_place_type, MPI_Comm comm) const {
    Contribution one = own_block(Collective::alltoall, sent, count, type, in_place_count, in_place_type);
    one.bytes *= others(comm);
    return one;
  }
  template <class Counts>
  [[nodiscard]] Contribution alltoallv(const void* sent, const Counts& counts, MPI_Datatype type,
                                       const Counts& in_place_counts, MPI_Datatype in_place_type,
                                       MPI_Comm comm) const {
    const bool in_place = sent == MPI_IN_PLACE;
    return {Collective::alltoall, sum_of(in_place ? in_place_counts : counts, others(comm)) *
                                      size_of(in_place ? in_place_type : type)};
  }
  template <class Counts, class Types>
  [[nodiscard]] Contribution alltoallw(const void* sent, const Counts& counts, const Types& types,
                                       const Counts& in_place_counts, const Types& in_place_types,
                                       MPI_Comm comm) const {
    const bool in_place = sent == MPI_IN_PLACE;
    const Counts& of_blocks = in_place ? in_place_counts : counts;
    const Types& types_of_blocks = in_place ? in_place_types : types;
    Contribution all{Collective::alltoall, 0};
    for (int i = 0; i < others(comm); ++i) all.bytes += bytes_of(of_blocks[i], types_of_blocks[i]);
    return all;
  }
  template <class Counts>
  [[nodiscard]] Contribution reduce_scatter(const Counts& counts, MPI_Datatype type, MPI_Comm comm) const {
    const Peers* const peers = Peers::of_comm(*recorder_, comm);
    return {Collective::reduce_scatter, sum_of(counts, peers == nullptr ? 0 : peers->size()) * size_of(type)};
  }
  [[nodiscard]] Contribution reduce_scatter_block(Count count, MPI_Datatype type, MPI_Comm comm) const {
    const Peers* const peers = Peers::of_comm(*recorder_, comm);
    return {Collective::reduce_scatter, (peers == nullptr ? 0 : peers->size()) * bytes_of(count, type)};
  }

 private:
  [[nodiscard]] int others(MPI_Comm comm) const {
    const Peers* const peers = Peers::of_comm(*recorder_, comm);
    return peers == nullptr ? 0 : peers->others();
  }
  /// Of an intercommunicator MPI_ROOT says so; there other numbers are ranks of the other group.
  [[nodiscard]] bool is_root(int root, MPI_Comm comm) const {
    if (root < 0) return root == MPI_ROOT;
    const Peers* const peers = Peers::of_comm(*recorder_, comm);
    return peers != nullptr && !peers->is_inter() && peers->rank() == root;
  }
  /// In the group of an intercommunicator that has the root nobody sends to it.
  [[nodiscard]] static bool only_receives(int root) { return root < 0; }

  template <class Counts>
  [[nodiscard]] static Count sum_of(const Counts& counts, int size) {
    Count sum = 0;
    for (int i = 0; i < size; ++i) sum += counts[i];
    return sum;
  }
  [[nodiscard]] static Contribution own_block(Collective kind, const void* sent, Count count,
                                              MPI_Datatype type, Count in_place_count,
                                              MPI_Datatype in_place_type) {
    return sent == MPI_IN_PLACE ? in(kind, in_place_count, in_place_type) : in(kind, count, type);
  }
  template <class Counts>
  [[nodiscard]] Contribution own_of(Collective kind, const Counts& counts, MPI_Datatype type,
                                    MPI_Comm comm) const {
    const Peers* const peers = Peers::of_comm(*recorder_, comm);
    return {kind, peers == nullptr ? 0 : bytes_of(counts[peers->rank()], type)};
  }

  template <class BytesOf>
  [[nodiscard]] SentMessages blocks(MPI_Comm comm, const BytesOf& bytes_of_block) const {
    SentMessages all;
    const Peers* const peers = Peers::of_comm(*recorder_, comm);
    if (peers == nullptr) return all;
    const std::vector<Partner*>& targets = peers->targets();
    all.messages.reserve(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i] != nullptr) all.messages.push_back({targets[i], Way::neighbor, bytes_of_block(i)});
    return all;
  }

  template <class Put, class Got>
  [[nodiscard]] Access access(int target, MPI_Win window, const Put& put_bytes, const Got& got_bytes) const {
    if (target == MPI_PROC_NULL) return {nullptr, -1, -1};
    Peers* const peers = Peers::of_window(*recorder_, window);
    if (peers == nullptr) return {nullptr, -1, -1};
    return {peers->partner(target), put_bytes(), got_bytes()};
  }

  Recorder* recorder_;
};

}  // namespace halocline::recorder
