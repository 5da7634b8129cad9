// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/rivals/rival_halos.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace halocline::tools {
namespace {

constexpr int tag = 78;

using PointBox = HaloProblem::PointBox;

Count row_points(const HaloProblem& problem, std::size_t d) { return problem.extents[d] + 2 * problem.width; }

double* point(const HaloProblem& problem, double* array, const Counts& first, Count x, Count y) {
  return array + ((first[0] + x) * row_points(problem, 1) + first[1] + y) * row_points(problem, 2) + first[2];
}

/// Visits the rows of a part.
template <class Visit>
void for_each_row(const PointBox& part, const Visit& visit) {
  for (Count x = 0; x < part.count[0]; ++x)
    for (Count y = 0; y < part.count[1]; ++y) visit(x, y);
}

double* pack(const HaloProblem& problem, const PointBox& part, double* wire) {
  const Count n = part.count[2];
  for (double* array : problem.arrays)
    for_each_row(part, [&](Count x, Count y) {
      const double* const row = point(problem, array, part.first, x, y);
      for (Count z = 0; z < n; ++z) wire[z] = row[z];
      wire += n;
    });
  return wire;
}

struct Assign {
  void operator()(double& target, double source) const { target = source; }
};
struct Add {
  void operator()(double& target, double source) const { target += source; }
};

template <class Put>
const double* unpack(const HaloProblem& problem, const PointBox& part, const double* wire, const Put& put) {
  const Count n = part.count[2];
  for (double* array : problem.arrays)
    for_each_row(part, [&](Count x, Count y) {
      double* const row = point(problem, array, part.first, x, y);
      for (Count z = 0; z < n; ++z) put(row[z], wire[z]);
      wire += n;
    });
  return wire;
}

template <class Put>
void copy(const HaloProblem& problem, const PointBox& from, const PointBox& to, const Put& put) {
  for (double* array : problem.arrays)
    for_each_row(from, [&](Count x, Count y) {
      const double* const source = point(problem, array, from.first, x, y);
      double* const target = point(problem, array, to.first, x, y);
      for (Count z = 0; z < from.count[2]; ++z) put(target[z], source[z]);
    });
}

mpi::Datatype type_of(const HaloProblem& problem, const PointBox& part) {
  std::array<int, 3> sizes{}, counts{}, starts{};
  for (std::size_t d = 0; d < 3; ++d) {
    sizes[d] = to_int(row_points(problem, d));
    counts[d] = to_int(part.count[d]);
    starts[d] = to_int(part.first[d]);
  }
  mpi::Datatype subarray, all;
  HALOCLINE_MPI(Type_create_subarray, 3, sizes.data(), counts.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE,
                subarray.put());
  std::vector<MPI_Aint> addresses;
  for (double* array : problem.arrays) HALOCLINE_MPI(Get_address, array, &addresses.emplace_back());
  HALOCLINE_MPI(Type_create_hindexed_block, to_int(addresses.size()), 1, addresses.data(), subarray.get(),
                all.put());
  HALOCLINE_MPI(Type_commit, all.put());
  return all;
}

exchange::Neighbours neighbours(const HaloProblem& problem) {
  return exchange::neighbours_of(problem.grid, problem.offsets, mpi::rank(problem.cart));
}

}  // namespace

PointBox HaloProblem::sent(const Offset& offset) const {
  PointBox part;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    part.first.push_back(offset[d] > 0 ? extents[d] : width);
    part.count.push_back(offset[d] == 0 ? extents[d] : width);
  }
  return part;
}

PointBox HaloProblem::received(const Offset& offset) const {
  PointBox part;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    part.first.push_back(offset[d] > 0 ? 0 : offset[d] < 0 ? extents[d] + width : width);
    part.count.push_back(offset[d] == 0 ? extents[d] : width);
  }
  return part;
}

HaloTypes::HaloTypes(const HaloProblem& problem) {
  for (const Offset& offset : problem.offsets.offsets()) {
    sent.push_back(type_of(problem, problem.sent(offset)));
    received.push_back(type_of(problem, problem.received(offset)));
  }
}

NeighborHalo::NeighborHalo(const HaloProblem& problem)
    : types_(problem), counts_(problem.offsets.size(), 1), displacements_(problem.offsets.size(), 0) {
  const exchange::Neighbours all = neighbours(problem);
  const std::vector<int> sources(all.sources.begin(), all.sources.end());
  const std::vector<int> targets(all.targets.begin(), all.targets.end());
  HALOCLINE_MPI(Dist_graph_create_adjacent, problem.cart, to_int(sources.size()), sources.data(),
                MPI_UNWEIGHTED, to_int(targets.size()), targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                graph_.put());
  for (const mpi::Datatype& type : types_.sent) sent_.push_back(type.get());
  for (const mpi::Datatype& type : types_.received) received_.push_back(type.get());
}

void NeighborHalo::run() {
  HALOCLINE_MPI(Neighbor_alltoallw, MPI_BOTTOM, counts_.data(), displacements_.data(), sent_.data(),
                MPI_BOTTOM, counts_.data(), displacements_.data(), received_.data(), graph_.get());
}

void NeighborHalo::start() {
  HALOCLINE_MPI(Ineighbor_alltoallw, MPI_BOTTOM, counts_.data(), displacements_.data(), sent_.data(),
                MPI_BOTTOM, counts_.data(), displacements_.data(), received_.data(), graph_.get(), &request_);
}

bool NeighborHalo::test() {
  int complete = 0;
  HALOCLINE_MPI(Test, &request_, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

void NeighborHalo::wait() { HALOCLINE_MPI(Wait, &request_, MPI_STATUS_IGNORE); }

DatatypeHalo::DatatypeHalo(const HaloProblem& problem)
    : problem_(problem),
      neighbours_(neighbours(problem)),
      types_(problem),
      requests_(2 * problem.offsets.size()) {}

void DatatypeHalo::run() {
  const std::size_t count = neighbours_.targets.size();
  for (std::size_t i = 0; i < count; ++i)
    HALOCLINE_MPI(Irecv, MPI_BOTTOM, 1, types_.received[i].get(), to_int(neighbours_.sources[i]), tag,
                  problem_.cart, &requests_[i]);
  for (std::size_t i = 0; i < count; ++i)
    HALOCLINE_MPI(Isend, MPI_BOTTOM, 1, types_.sent[i].get(), to_int(neighbours_.targets[i]), tag,
                  problem_.cart, &requests_[count + i]);
  mpi::wait_all(requests_);
}

HandPackedHalo::HandPackedHalo(const HaloProblem& problem, MessageTo messages, Moves moves)
    : problem_(problem), moves_(moves) {
  for (const Offset& offset : problem.offsets.offsets()) {
    sent_.push_back(problem.sent(offset));
    received_.push_back(problem.received(offset));
  }
  std::vector<exchange::Peer> peers;
  exchange::Neighbours all = neighbours(problem);
  if (moves == Moves::sums) {
    std::swap(sent_, received_);
    std::swap(all.targets, all.sources);
  }
  if (messages == MessageTo::each_neighbour) {
    for (std::size_t i = 0; i < all.targets.size(); ++i) {
      peers.push_back({all.targets[i], {to_int(i)}, {}});
      peers.push_back({all.sources[i], {}, {to_int(i)}});
    }
  } else {
    const exchange::NodeMap one_node{std::vector<int>(to_size(problem.grid.size()), 0)};
    exchange::Peers by_rank = exchange::peers_of(all, mpi::rank(problem.cart), one_node);
    own_ = by_rank.own;
    peers = std::move(by_rank.on_node);
  }
  const auto room = [&](const std::vector<PointBox>& parts, const std::vector<int>& blocks) {
    Count points = 0;
    for (const int block : blocks) points += HaloProblem::points(parts[to_index(block)]);
    return to_size(points) * problem.arrays.size();
  };
  for (exchange::Peer& peer : peers) {
    PeerBuffers& made = peers_.emplace_back();
    made.out.resize(room(sent_, peer.out));
    made.in.resize(room(received_, peer.in));
    made.blocks = std::move(peer);
  }
}

void HandPackedHalo::run() {
  requests_.clear();
  for (PeerBuffers& peer : peers_) {
    if (peer.in.empty()) continue;
    HALOCLINE_MPI(Irecv, peer.in.data(), to_int(peer.in.size()), MPI_DOUBLE, to_int(peer.blocks.rank), tag,
                  problem_.cart, &requests_.emplace_back());
  }
  for (PeerBuffers& peer : peers_) {
    if (peer.out.empty()) continue;
    double* wire = peer.out.data();
    for (const int block : peer.blocks.out) wire = pack(problem_, sent_[to_index(block)], wire);
    HALOCLINE_MPI(Isend, peer.out.data(), to_int(peer.out.size()), MPI_DOUBLE, to_int(peer.blocks.rank), tag,
                  problem_.cart, &requests_.emplace_back());
  }
  if (moves_ == Moves::sums)
    finish(Add{});
  else
    finish(Assign{});
}

template <class Put>
void HandPackedHalo::finish(const Put& put) {
  for (const int block : own_) copy(problem_, sent_[to_index(block)], received_[to_index(block)], put);
  mpi::wait_all(requests_);
  for (PeerBuffers& peer : peers_) {
    const double* wire = peer.in.data();
    for (const int block : peer.blocks.in) wire = unpack(problem_, received_[to_index(block)], wire, put);
  }
}

}  // namespace halocline::tools
