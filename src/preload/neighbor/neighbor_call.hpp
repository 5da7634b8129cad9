// SPDX-License-Identifier: BSD-3-Clause
// What all neighbourhood collectives do, whatever their arguments look like: streams, blocks, exchange, or
// the system.
#pragma once

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "preload/neighbor/pending.hpp"
#include "preload/neighbor/persistent.hpp"
#include "preload/neighbor/streamed_comm.hpp"
#include "preload/process/journal.hpp"

#include <mpi.h>

#include <vector>

namespace halocline::preload {

[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);
/// Of so many elements; 0 for none or fewer, whatever their type.
[[nodiscard]] Count bytes_of(int count, MPI_Datatype type);
[[nodiscard]] const void* at(const void* buffer, Count offset);

[[nodiscard]] bool has_topology(MPI_Comm comm);

/// That of the communicator; null if its streams cannot be used. It is made by a call that may wait for
/// the other processes, where it is known that all make it: by a persistent one at once, by a blocking one
/// when there were some before, since it costs as much as some calls. All processes get the same answer. A
/// call of so many bytes that gets none is counted.
[[nodiscard]] std::shared_ptr<StreamedComm>* streamed_comm_of(MPI_Comm comm, Form form, Tally& tally,
                                                              Count bytes);

/// Sets up streams for a new communicator of the processes of `parent`, if that is a sensible thing to do.
/// Collective over it.
void prepare_streams(MPI_Comm comm, MPI_Comm parent) noexcept;

/// A block of a call: count elements of a datatype there. Datatypes that our packers refuse are packed by
/// MPI, and so is what lies on a device that we cannot use. Throws Error{invalid_type} for a datatype that
/// MPI refuses as well, Error{invalid_argument} for a count below 0.
[[nodiscard]] BlockStream block_at(const void* address, Count count, MPI_Datatype type);

/// One blocking call. Returns as StreamCall::code(). Throws Error{mpi}.
[[nodiscard]] int exchange_now(StreamedComm& comm, Call call, CallBlocks blocks);

/// Calls the error handler of the communicator unless `code` is MPI_SUCCESS; returns it.
int report(MPI_Comm comm, int code);
[[nodiscard]] int code_of(const Error& error);

// One side of a call: block(i) is one of its blocks, bytes(i) what that counts. Types of empty blocks are not
// looked at.

struct Equal {
  static constexpr std::size_t fields = 3;
  const void* buffer;
  int count;
  MPI_Datatype type;
  [[nodiscard]] BlockStream block(std::size_t i) const {
    if (count == 0) return {};
    return block_at(at(buffer, to_count(i) * count * extent_of(type)), count, type);
  }
  [[nodiscard]] Count bytes(std::size_t /*i*/) const { return bytes_of(count, type); }
};

/// The same block for everyone.
struct Single {
  static constexpr std::size_t fields = 3;
  const void* buffer;
  int count;
  MPI_Datatype type;
  [[nodiscard]] BlockStream block(std::size_t /*i*/) const {
    return count == 0 ? BlockStream() : block_at(buffer, count, type);
  }
  [[nodiscard]] Count bytes(std::size_t /*i*/) const { return bytes_of(count, type); }
};

struct Varying {
  static constexpr std::size_t fields = 4;
  const void* buffer;
  const int* counts;
  const int* places;
  MPI_Datatype type;
  [[nodiscard]] BlockStream block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return block_at(at(buffer, Count{places[i]} * extent_of(type)), counts[i], type);
  }
  [[nodiscard]] Count bytes(std::size_t i) const { return bytes_of(counts[i], type); }
};

struct Mixed {
  static constexpr std::size_t fields = 4;
  const void* buffer;
  const int* counts;
  const MPI_Aint* places;
  const MPI_Datatype* types;
  [[nodiscard]] BlockStream block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return block_at(at(buffer, places[i]), counts[i], types[i]);
  }
  [[nodiscard]] Count bytes(std::size_t i) const { return bytes_of(counts[i], types[i]); }
};

/// As Mixed, with the handles of Fortran.
struct MixedFortran {
  static constexpr std::size_t fields = 4;
  const void* buffer;
  const int* counts;
  const MPI_Aint* places;
  const MPI_Fint* types;
  [[nodiscard]] BlockStream block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return block_at(at(buffer, places[i]), counts[i], PMPI_Type_f2c(types[i]));
  }
  [[nodiscard]] Count bytes(std::size_t i) const {
    return counts[i] == 0 ? 0 : bytes_of(counts[i], PMPI_Type_f2c(types[i]));
  }
};

/// Nothing for neighbours beyond an open border: their blocks are not touched.
template <class Side>
BlockStreams blocks_of(const Side& side, const std::vector<int>& neighbors) {
  BlockStreams all(neighbors.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (neighbors[i] != MPI_PROC_NULL) all[i] = side.block(i);
  return all;
}

/// Throws as block_at() and CallBlocks.
template <class Send, class Receive>
CallBlocks blocks_of_call(const Send& send, const Receive& receive, const Neighbors& neighbors) {
  return {blocks_of(send, neighbors.targets), blocks_of(receive, neighbors.sources)};
}

/// What a call sends, for the summary; 0 if there is none, or if the arguments are wrong.
template <class Side>
Count sent_bytes(const Side& send, MPI_Comm comm) noexcept {
  if (!is_logged() || send.buffer == MPI_IN_PLACE || !has_topology(comm)) return 0;
  try {
    Count all = 0;
    const std::vector<int> targets = neighbors_of(comm).targets;
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i] != MPI_PROC_NULL) all += send.bytes(i);
    return all;
  } catch (const std::exception&) {
    return 0;
  }
}

struct Outcome {
  int code;
  bool reported = false;  ///< The system has called the error handler.
};

/// Arguments that make no sense are left to the system, which says so.
template <class Work, class System>
int guarded(MPI_Comm comm, Tally& tally, const Work& work, const System& system) noexcept {
  try {
    const Outcome outcome = work();
    return outcome.reported ? outcome.code : report(comm, outcome.code);
  } catch (const Error& error) {
    if (error.fault() != Fault::mpi) {
      tally.leave("wrong arguments");
      return system();
    }
    return report(comm, code_of(error));
  } catch (const std::exception&) {
    return report(comm, MPI_ERR_NO_MEM);
  }
}

/// A blocking call: by ours, or by the system.
template <class Send, class Receive, class System>
int run(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
        const System& system) {
  return guarded(
      comm, tally,
      [&] {
        const Count bytes = sent_bytes(send, comm);
        std::shared_ptr<StreamedComm>* const streamed = streamed_comm_of(comm, Form::blocking, tally, bytes);
        if (streamed == nullptr) return Outcome{system(), true};
        require(send.buffer != MPI_IN_PLACE, "MPI_IN_PLACE");
        CallBlocks blocks = blocks_of_call(send, receive, (*streamed)->neighbors());
        tally.take(bytes);
        return Outcome{exchange_now(**streamed, call, std::move(blocks))};
      },
      system);
}

/// A non-blocking one.
template <class Send, class Receive, class System>
int start(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
          MPI_Request* request, const System& system) {
  return guarded(
      comm, tally,
      [&] {
        const Count bytes = sent_bytes(send, comm);
        std::shared_ptr<StreamedComm>* const streamed =
            streamed_comm_of(comm, Form::non_blocking, tally, bytes);
        if (streamed == nullptr) return Outcome{system(), true};
        require(request != nullptr && send.buffer != MPI_IN_PLACE, "no request, or MPI_IN_PLACE");
        CallBlocks blocks = blocks_of_call(send, receive, (*streamed)->neighbors());
        tally.take(bytes);
        *request = begin(*streamed, call, std::move(blocks));
        return Outcome{MPI_SUCCESS};
      },
      system);
}

/// A persistent one.
template <class Send, class Receive, class System>
int prepare(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
            MPI_Request* request, const System& system) {
  return guarded(
      comm, tally,
      [&] {
        const Count bytes = sent_bytes(send, comm);
        std::shared_ptr<StreamedComm>* const found = streamed_comm_of(comm, Form::persistent, tally, bytes);
        if (found == nullptr) return Outcome{system(), true};
        const std::shared_ptr<StreamedComm> streamed = *found;
        // Before anything is wrong on this process alone.
        const std::optional<int> number = streamed->next_persistent();
        if (!number) {
          tally.leave("there were too many on this communicator", bytes);
          return Outcome{system(), true};
        }
        require(request != nullptr && send.buffer != MPI_IN_PLACE, "no request, or MPI_IN_PLACE");
        CallBlocks blocks = blocks_of_call(send, receive, streamed->neighbors());
        *request = Persistent::make(streamed, call, std::move(blocks), *number);
        tally.take(bytes);
        return Outcome{MPI_SUCCESS};
      },
      system);
}

}  // namespace halocline::preload
