// SPDX-License-Identifier: BSD-3-Clause
// Examinations of MPI's neighbourhood collectives: does every block arrive where it belongs?

#include "base/numbers.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/doctor/doctor.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace halocline::tools {
namespace {

constexpr int untouched = -1;

int block_of(Rank rank, std::size_t direction) { return to_int(rank) * 64 + to_int(direction); }

/// Who put blocks into wrong places.
struct Delivery {
  bool alltoall_wrong = false, alltoallw_wrong = false, ours_wrong = false;

  void merge(const Delivery& other) {
    alltoall_wrong = alltoall_wrong || other.alltoall_wrong;
    alltoallw_wrong = alltoallw_wrong || other.alltoallw_wrong;
    ours_wrong = ours_wrong || other.ours_wrong;
  }
};

/// -1 and +1 along each dimension in turn: the order of neighbours that the standard gives to Cartesian
/// communicators.
std::vector<Offset> cartesian_offsets(std::size_t dimensions) {
  std::vector<Offset> offsets;
  for (std::size_t d = 0; d < dimensions; ++d)
    for (const Count step : {-1, 1}) {
      offsets.emplace_back(dimensions, 0);
      offsets.back()[d] = step;
    }
  return offsets;
}

/// What must arrive from each direction: the neighbour there sent it in the opposite one, that is 2d + 1 for
/// 2d and back.
std::vector<int> expected_blocks(const Grid& grid, const std::vector<Offset>& offsets, Rank me) {
  std::vector<int> expected(offsets.size(), untouched);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (const auto there = grid.neighbor(grid.cell(me), offsets[i]))
      expected[i] = block_of(grid.index(*there), i ^ 1);
  return expected;
}

/// Halocline's exchange of the same blocks: block i comes from minus offset i, which is direction i ^ 1.
bool ours_is_right(MPI_Comm cart, const std::vector<Offset>& offsets, std::vector<int>& sent,
                   const std::vector<int>& expected) {
  const Neighborhood neighborhood(cart, Stencil(offsets));
  const Layout integer = Layout::named(Elementary::int_);
  std::vector<int> received(sent.size(), untouched);
  std::vector<Block> from, to;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    from.push_back({&sent[i], integer, 1});
    to.push_back({&received[i ^ 1], integer, 1});
  }
  Exchange exchange = Exchange::alltoall(neighborhood, from, to);
  exchange.start();
  exchange.wait();
  return received == expected;
}

/// The same little blocks by both of MPI's collectives and by ours. Collective over the grid's processes.
Delivery deliver(MPI_Comm comm, const Grid& grid) {
  const std::vector<int> dims(grid.extents().begin(), grid.extents().end());
  const std::vector<int> periods(grid.periodicity().begin(), grid.periodicity().end());
  mpi::Comm cart;
  HALOCLINE_MPI(Cart_create, comm, to_int(dims.size()), dims.data(), periods.data(), 0, cart.put());
  const std::vector<Offset> offsets = cartesian_offsets(dims.size());
  const std::size_t directions = offsets.size();
  const Rank me = mpi::rank(cart.get());
  const std::vector<int> expected = expected_blocks(grid, offsets, me);
  std::vector<int> sent(directions);
  for (std::size_t i = 0; i < directions; ++i) sent[i] = block_of(me, i);

  Delivery delivery;
  std::vector<int> received(directions, untouched);
  HALOCLINE_MPI(Neighbor_alltoall, sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, cart.get());
  delivery.alltoall_wrong = received != expected;

  std::vector<int> counts(directions, 1);
  std::vector<MPI_Aint> places(directions);
  for (std::size_t i = 0; i < directions; ++i) places[i] = static_cast<MPI_Aint>(i * sizeof(int));
  std::vector<MPI_Datatype> types(directions, MPI_INT);
  received.assign(directions, untouched);
  HALOCLINE_MPI(Neighbor_alltoallw, sent.data(), counts.data(), places.data(), types.data(), received.data(),
                counts.data(), places.data(), types.data(), cart.get());
  delivery.alltoallw_wrong = received != expected;

  delivery.ours_wrong = !ours_is_right(cart.get(), offsets, sent, expected);
  return delivery;
}

/// Examines those of the grids that the processes suffice for.
Finding deliver_on(MPI_Comm comm, const std::vector<Grid>& grids, const std::string& what) {
  Delivery all;
  std::string tried, failing;
  for (const Grid& grid : grids) {
    if (grid.size() > mpi::size(comm)) continue;
    const bool takes_part = mpi::rank(comm) < grid.size();
    Delivery here;
    {
      const mpi::Comm part = mpi::split(comm, takes_part ? 0 : MPI_UNDEFINED, 0);
      if (takes_part) here = deliver(part.get(), grid);
    }
    here = {anywhere(comm, here.alltoall_wrong), anywhere(comm, here.alltoallw_wrong),
            anywhere(comm, here.ours_wrong)};
    all.merge(here);
    const std::string name = Grid(grid.extents()).to_text();
    tried += (tried.empty() ? "" : ", ") + name;
    if (here.alltoall_wrong || here.alltoallw_wrong) failing += (failing.empty() ? "" : ", ") + name;
  }
  if (failing.empty() && !all.ours_wrong) return {Verdict::ok, fmt::format("{}: right on {}", what, tried)};
  const char* const which = all.alltoall_wrong && all.alltoallw_wrong ? "MPI_Neighbor_alltoall and _alltoallw"
                            : all.alltoall_wrong                      ? "MPI_Neighbor_alltoall"
                                                                      : "MPI_Neighbor_alltoallw";
  return {
      Verdict::wrong,
      failing.empty() ? fmt::format("{}: MPI is right on {}", what, tried)
                      : fmt::format("{}: {} put blocks into wrong places on {}", what, which, failing),
      all.ours_wrong ? "WRONG HERE, TOO: please report this" : "delivers right (checked on the same grids)"};
}

Grid periodic(const Counts& extents) { return Grid(extents, Periodicity(extents.size(), true)); }

}  // namespace

Finding examine_sides_of_one(MPI_Comm comm) {
  return deliver_on(comm, {periodic({1}), periodic({1, 1}), periodic({3, 1}), periodic({1, 4, 1})},
                    "periodic sides of 1");
}

Finding examine_sides_of_two(MPI_Comm comm) {
  return deliver_on(comm, {periodic({2}), periodic({2, 2}), periodic({2, 3}), periodic({2, 2, 2})},
                    "periodic sides of 2");
}

Finding examine_open_borders(MPI_Comm comm) {
  return deliver_on(comm,
                    {Grid({2}), Grid({3}), Grid({2, 2}), Grid({2, 3}), Grid({2, 2, 2}), Grid({3, 1, 4})},
                    "open borders");
}

Finding examine_doubled_edges(MPI_Comm comm) {
  constexpr int edges = 3;
  const int me = mpi::rank(comm), other = 1 - me;
  bool right = true;
  {
    const bool takes_part = me < 2;
    const mpi::Comm pair = mpi::split(comm, takes_part ? 0 : MPI_UNDEFINED, 0);
    if (takes_part) {
      const std::array<int, edges> ranks{other, other, other};
      mpi::Comm graph;
      HALOCLINE_MPI(Dist_graph_create_adjacent, pair.get(), edges, ranks.data(), MPI_UNWEIGHTED, edges,
                    ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, graph.put());
      std::array<int, edges> sent{}, received{}, expected{};
      for (std::size_t i = 0; i < edges; ++i) {
        sent[i] = block_of(me, i);
        expected[i] = block_of(other, i);
      }
      HALOCLINE_MPI(Neighbor_alltoall, sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, graph.get());
      right = received == expected;
    }
  }
  if (!anywhere(comm, !right))
    return {Verdict::ok, "several edges of a graph between two processes: blocks keep their order"};
  return {Verdict::wrong,
          "several edges of a graph between two processes: MPI_Neighbor_alltoall mixes up their blocks",
          "numbers neighbours by offsets, not by processes, so that nothing is mixed up"};
}

}  // namespace halocline::tools
