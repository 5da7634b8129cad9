// A neighbourhood operation with its buffers: done by Halocline in any of its forms, and by plain messages.
#pragma once

#include "halocline/halocline.h"
#include "mpi/handles/handle.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace halocline {

using Random = std::mt19937_64;

inline int random_int(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

/// A grid of processes and the offsets of their neighbours, as a C program has them.
struct Around {
  std::vector<int> dims, periods;
  std::vector<int> offsets;  ///< One behind the other.

  [[nodiscard]] int dimensions() const { return static_cast<int>(dims.size()); }
  [[nodiscard]] int neighbours() const { return static_cast<int>(offsets.size() / dims.size()); }
  [[nodiscard]] int processes() const {
    return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>());
  }
  [[nodiscard]] std::string to_text() const {
    std::string text = "dims";
    for (std::size_t d = 0; d < dims.size(); ++d)
      text += " " + std::to_string(dims[d]) + (periods[d] ? "p" : "");
    text += " offsets";
    for (std::size_t i = 0; i < offsets.size(); ++i)
      text += (i % dims.size() == 0 ? " " : ",") + std::to_string(offsets[i]);
    return text;
  }
};

/// The rank at `sign` times offset `i`, as MPI sees it.
inline int rank_at(MPI_Comm cart, const Around& around, int i, int sign) {
  std::vector<int> cell(around.dims.size());
  MPI_Cart_coords(cart, mpi::rank(cart), around.dimensions(), cell.data());
  for (std::size_t d = 0; d < cell.size(); ++d) {
    const int extent = around.dims[d];
    cell[d] += sign * around.offsets[static_cast<std::size_t>(i) * cell.size() + d];
    if (around.periods[d])
      cell[d] = (cell[d] % extent + extent) % extent;
    else if (cell[d] < 0 || cell[d] >= extent)
      return MPI_PROC_NULL;
  }
  int rank = 0;
  MPI_Cart_rank(cart, cell.data(), &rank);
  return rank;
}

inline std::vector<int> ranks_at(MPI_Comm cart, const Around& around, int sign) {
  std::vector<int> ranks;
  for (int i = 0; i < around.neighbours(); ++i) ranks.push_back(rank_at(cart, around, i, sign));
  return ranks;
}

/// The communicators of one neighbourhood. Collective over `comm`; both are null beyond the grid.
struct Neighbors {
  Neighbors(MPI_Comm processes, const Around& its_around) : around(its_around) {
    MPI_Cart_create(processes, around.dimensions(), around.dims.data(), around.periods.data(), 0, cart.put());
    if (!cart) return;
    EXPECT_EQ(HCL_Neighborhood_create(cart.get(), around.neighbours(), around.offsets.data(), comm.put()),
              MPI_SUCCESS);
    targets = ranks_at(cart.get(), around, 1);
    sources = ranks_at(cart.get(), around, -1);
  }
  explicit operator bool() const { return static_cast<bool>(comm); }

  Around around;
  mpi::Comm cart, comm;
  std::vector<int> targets, sources;
};

/// `ints` integers that lie in memory in one of several ways.
inline mpi::Datatype scattered_ints(int ints, Random& random) {
  mpi::Datatype type;
  switch (random_int(random, 0, 3)) {
    case 0:
      MPI_Type_contiguous(ints, MPI_INT, type.put());
      break;
    case 1:
      MPI_Type_vector(ints, 1, random_int(random, 2, 4), MPI_INT, type.put());
      break;
    case 2: {  // backwards
      std::vector<int> places(static_cast<std::size_t>(ints));
      for (int i = 0; i < ints; ++i) places[static_cast<std::size_t>(i)] = 2 * (ints - 1 - i);
      MPI_Type_create_indexed_block(ints, 1, places.data(), MPI_INT, type.put());
      break;
    }
    default: {  // with room behind
      mpi::Datatype dense;
      MPI_Type_contiguous(ints, MPI_INT, dense.put());
      MPI_Type_create_resized(dense.get(), 0, static_cast<MPI_Aint>(sizeof(int)) * (ints + 3), type.put());
      break;
    }
  }
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  return type;
}

inline MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

/// Where two buffers differ first, or -1: they are too long to be printed.
inline Count first_difference(const std::vector<int>& a, const std::vector<int>& b) {
  if (a.size() != b.size()) return 0;
  const auto place = std::mismatch(a.begin(), a.end(), b.begin()).first;
  return place == a.end() ? -1 : place - a.begin();
}

/// The operations, in the order of the functions.
enum class Call { alltoall, alltoallv, alltoallw, allgather, allgatherv, allgatherw };
constexpr Call every_call[] = {Call::alltoall,  Call::alltoallv,  Call::alltoallw,
                               Call::allgather, Call::allgatherv, Call::allgatherw};
inline bool gathers(Call call) { return call >= Call::allgather; }

/// One side of it: the same blocks as all three kinds of arguments.
struct CallSide {
  std::vector<mpi::Datatype> owned;
  std::vector<MPI_Datatype> types;
  std::vector<int> counts;
  std::vector<MPI_Aint> elements, bytes;  ///< Displacements.
  std::vector<int> buffer;
};

class NeighborCall {
 public:
  static constexpr int guard = 0x5A5A5A5A;

  /// Blocks of up to 6 * `scale` integers, whose sizes all processes know alike by `common`; how they lie in
  /// memory is random on each. Displacements of the v and w forms decrease, with gaps between the blocks.
  NeighborCall(Call call, const Neighbors& neighbors, int scale, Random& common, Random& own)
      : call_(call), neighbors_(neighbors) {
    const auto number = static_cast<std::size_t>(neighbors.around.neighbours());
    const bool regular = call == Call::alltoall || call == Call::allgather;
    std::vector<int> units(number, random_int(common, 0, scale));  // of 6 integers
    if (!regular && !gathers(call))
      for (int& each : units) each = random_int(common, 0, scale);
    const bool mixed = call == Call::alltoallw || call == Call::allgatherw;
    send_ = side(gathers(call) ? std::vector<int>{units[0]} : units, regular || gathers(call),
                 mixed && !gathers(call), own);
    receive_ = side(units, regular, mixed, own);
    clear();
  }

  /// Blocks of 6 * units[i] integers, which all processes know alike; the form of the call may differ. @pre
  /// all are equal, unless it is alltoallv or alltoallw
  NeighborCall(Call call, const Neighbors& neighbors, const std::vector<int>& units, Random& own)
      : call_(call), neighbors_(neighbors) {
    const bool regular = call == Call::alltoall || call == Call::allgather;
    const bool mixed = call == Call::alltoallw || call == Call::allgatherw;
    send_ = side(gathers(call) ? std::vector<int>{units[0]} : units, regular || gathers(call),
                 mixed && !gathers(call), own);
    receive_ = side(units, regular, mixed, own);
    clear();
  }

  /// New contents to send, and nothing received.
  void fill(int start) {
    for (std::size_t i = 0; i < send_.buffer.size(); ++i)
      send_.buffer[i] = static_cast<int>(
          (static_cast<unsigned>(world_rank()) * 1009U + static_cast<unsigned>(i)) * 2654435761U +
          static_cast<unsigned>(start) * 40503U);
    clear();
  }

  int init(MPI_Info info, HCL_Request* request) { return init(neighbors_.comm.get(), info, request); }
  int init(MPI_Comm comm, MPI_Info info, HCL_Request* request);
  int blocking();
  int immediate(HCL_Request* request);

  /// What the plain exchange receives, with all bytes around it.
  [[nodiscard]] std::vector<int> expected() {
    std::vector<int> received(receive_.buffer.size(), guard);
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < neighbors_.sources.size(); ++i) {
      MPI_Irecv(reinterpret_cast<char*>(received.data()) + receive_.bytes[i], receive_.counts[i],
                receive_.types[i], neighbors_.sources[i], static_cast<int>(i), neighbors_.cart.get(),
                &requests.emplace_back());
      const std::size_t sent = gathers(call_) ? 0 : i;
      MPI_Isend(reinterpret_cast<char*>(send_.buffer.data()) + send_.bytes[sent], send_.counts[sent],
                send_.types[sent], neighbors_.targets[i], static_cast<int>(i), neighbors_.cart.get(),
                &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return received;
  }
  /// Where what was received differs first from that, or -1.
  [[nodiscard]] Count wrong(const std::vector<int>& expected) const {
    return first_difference(receive_.buffer, expected);
  }

  CallSide& send() { return send_; }
  CallSide& receive() { return receive_; }
  [[nodiscard]] Call call() const { return call_; }
  [[nodiscard]] const Neighbors& neighbors() const { return neighbors_; }

 private:
  static constexpr int unit = 6;

  /// Blocks of unit * units[i] integers.
  static CallSide side(const std::vector<int>& units, bool regular, bool mixed, Random& own) {
    static constexpr int divisors[] = {1, 2, 3, 6};
    CallSide side;
    const std::size_t blocks = units.size();
    int ints = divisors[random_int(own, 0, 3)];
    side.owned.push_back(scattered_ints(ints, own));
    side.bytes.resize(blocks);
    side.elements.resize(blocks);
    MPI_Aint next = 0, next_byte = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      if (mixed) {
        ints = divisors[random_int(own, 0, 3)];
        side.owned.push_back(scattered_ints(ints, own));
      }
      side.types.push_back(side.owned.back().get());
      side.counts.push_back(unit * units[i] / ints);
    }
    for (std::size_t k = 0; k < blocks; ++k) {
      const std::size_t i = regular ? k : blocks - 1 - k;
      const MPI_Aint extent = extent_of(side.types[i]);
      side.elements[i] = next;
      side.bytes[i] = mixed ? next_byte : next * extent;
      next += side.counts[i] + (regular ? 0 : 1);
      next_byte += side.counts[i] * extent + 12;
    }
    const MPI_Aint end = mixed ? next_byte : next * extent_of(side.types[0]);
    side.buffer.resize(static_cast<std::size_t>(end) / sizeof(int) + 8);
    return side;
  }
  void clear() { receive_.buffer.assign(receive_.buffer.size(), guard); }

  Call call_;
  const Neighbors& neighbors_;
  CallSide send_, receive_;
};

inline int NeighborCall::init(MPI_Comm comm, MPI_Info info, HCL_Request* request) {
  const CallSide &s = send_, &r = receive_;
  const void* from = s.buffer.data();
  void* to = receive_.buffer.data();
  switch (call_) {
    case Call::alltoall:
      return HCL_Neighbor_alltoall_init(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm,
                                        info, request);
    case Call::alltoallv:
      return HCL_Neighbor_alltoallv_init(from, s.counts.data(), s.elements.data(), s.types[0], to,
                                         r.counts.data(), r.elements.data(), r.types[0], comm, info, request);
    case Call::alltoallw:
      return HCL_Neighbor_alltoallw_init(from, s.counts.data(), s.bytes.data(), s.types.data(), to,
                                         r.counts.data(), r.bytes.data(), r.types.data(), comm, info,
                                         request);
    case Call::allgather:
      return HCL_Neighbor_allgather_init(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm,
                                         info, request);
    case Call::allgatherv:
      return HCL_Neighbor_allgatherv_init(from, s.counts[0], s.types[0], to, r.counts.data(),
                                          r.elements.data(), r.types[0], comm, info, request);
    case Call::allgatherw:
      break;
  }
  return HCL_Neighbor_allgatherw_init(from, s.counts[0], s.types[0], to, r.counts.data(), r.bytes.data(),
                                      r.types.data(), comm, info, request);
}

inline int NeighborCall::blocking() {
  const CallSide &s = send_, &r = receive_;
  const void* from = s.buffer.data();
  void* to = receive_.buffer.data();
  MPI_Comm comm = neighbors_.comm.get();
  switch (call_) {
    case Call::alltoall:
      return HCL_Neighbor_alltoall(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm);
    case Call::alltoallv:
      return HCL_Neighbor_alltoallv(from, s.counts.data(), s.elements.data(), s.types[0], to, r.counts.data(),
                                    r.elements.data(), r.types[0], comm);
    case Call::alltoallw:
      return HCL_Neighbor_alltoallw(from, s.counts.data(), s.bytes.data(), s.types.data(), to,
                                    r.counts.data(), r.bytes.data(), r.types.data(), comm);
    case Call::allgather:
      return HCL_Neighbor_allgather(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm);
    case Call::allgatherv:
      return HCL_Neighbor_allgatherv(from, s.counts[0], s.types[0], to, r.counts.data(), r.elements.data(),
                                     r.types[0], comm);
    case Call::allgatherw:
      break;
  }
  return HCL_Neighbor_allgatherw(from, s.counts[0], s.types[0], to, r.counts.data(), r.bytes.data(),
                                 r.types.data(), comm);
}

inline int NeighborCall::immediate(HCL_Request* request) {
  const CallSide &s = send_, &r = receive_;
  const void* from = s.buffer.data();
  void* to = receive_.buffer.data();
  MPI_Comm comm = neighbors_.comm.get();
  switch (call_) {
    case Call::alltoall:
      return HCL_Ineighbor_alltoall(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm,
                                    request);
    case Call::alltoallv:
      return HCL_Ineighbor_alltoallv(from, s.counts.data(), s.elements.data(), s.types[0], to,
                                     r.counts.data(), r.elements.data(), r.types[0], comm, request);
    case Call::alltoallw:
      return HCL_Ineighbor_alltoallw(from, s.counts.data(), s.bytes.data(), s.types.data(), to,
                                     r.counts.data(), r.bytes.data(), r.types.data(), comm, request);
    case Call::allgather:
      return HCL_Ineighbor_allgather(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm,
                                     request);
    case Call::allgatherv:
      return HCL_Ineighbor_allgatherv(from, s.counts[0], s.types[0], to, r.counts.data(), r.elements.data(),
                                      r.types[0], comm, request);
    case Call::allgatherw:
      break;
  }
  return HCL_Ineighbor_allgatherw(from, s.counts[0], s.types[0], to, r.counts.data(), r.bytes.data(),
                                  r.types.data(), comm, request);
}

inline std::vector<int> as_ints(const std::vector<MPI_Aint>& values) {
  return {values.begin(), values.end()};
}

/// What MPI's own collective receives on a graph of the same neighbours.
inline std::vector<int> from_mpi(NeighborCall& operation, MPI_Comm graph) {
  const CallSide &s = operation.send(), &r = operation.receive();
  std::vector<int> received(r.buffer.size(), NeighborCall::guard);
  const void* from = s.buffer.data();
  const std::vector<int> sent_at = as_ints(s.elements), received_at = as_ints(r.elements);
  switch (operation.call()) {
    case Call::alltoall:
      MPI_Neighbor_alltoall(from, s.counts[0], s.types[0], received.data(), r.counts[0], r.types[0], graph);
      break;
    case Call::alltoallv:
      MPI_Neighbor_alltoallv(from, s.counts.data(), sent_at.data(), s.types[0], received.data(),
                             r.counts.data(), received_at.data(), r.types[0], graph);
      break;
    case Call::alltoallw:
      MPI_Neighbor_alltoallw(from, s.counts.data(), s.bytes.data(), s.types.data(), received.data(),
                             r.counts.data(), r.bytes.data(), r.types.data(), graph);
      break;
    case Call::allgather:
      MPI_Neighbor_allgather(from, s.counts[0], s.types[0], received.data(), r.counts[0], r.types[0], graph);
      break;
    case Call::allgatherv:
      MPI_Neighbor_allgatherv(from, s.counts[0], s.types[0], received.data(), r.counts.data(),
                              received_at.data(), r.types[0], graph);
      break;
    case Call::allgatherw:
      break;  // MPI has none
  }
  return received;
}

}  // namespace halocline
