// SPDX-License-Identifier: BSD-3-Clause
// Examinations of MPI's Cartesian topologies: are ranks placed, are grids balanced?

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/mpi/cart.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/placement/shape_choice.hpp"
#include "tools/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace halocline::tools {
namespace {

mpi::Comm cart_of_mpi(MPI_Comm comm, const Grid& grid, bool reorder) {
  const std::vector<int> dims(grid.extents().begin(), grid.extents().end()), periods(dims.size(), 0);
  mpi::Comm cart;
  HALOCLINE_MPI(Cart_create, comm, to_int(dims.size()), dims.data(), periods.data(), reorder, cart.put());
  return cart;
}

/// Does every rank of `comm` occur once, and do coordinates and ranks belong together?
bool is_permutation(MPI_Comm comm, MPI_Comm cart, const Grid& grid) {
  const int me = mpi::rank(cart);
  std::vector<int> old_ranks(to_size(mpi::size(cart)));
  const int old_rank = mpi::rank(comm);
  HALOCLINE_MPI(Allgather, &old_rank, 1, MPI_INT, old_ranks.data(), 1, MPI_INT, cart);
  std::vector<char> seen(to_size(mpi::size(comm)), 0);
  for (const int rank : old_ranks) seen[to_index(rank)] = 1;
  std::vector<int> cell(grid.dimensions());
  HALOCLINE_MPI(Cart_coords, cart, me, to_int(cell.size()), cell.data());
  const bool right = Cell(cell.begin(), cell.end()) == grid.cell(me) &&
                     std::accumulate(seen.begin(), seen.end(), std::size_t{0}) == seen.size();
  return !anywhere(comm, !right);
}

Count sum(const Counts& dims) { return std::accumulate(dims.begin(), dims.end(), Count{0}); }

}  // namespace

Finding examine_reorder(MPI_Comm comm) {
  const int processes = mpi::size(comm);
  const Grid grid(plan::choose_dims(processes, Weights::equal(2)));
  const Stencil stencil = Stencil::parse("nearest", 2);
  const mpi::Comm kept = cart_of_mpi(comm, grid, false), reordered = cart_of_mpi(comm, grid, true);
  if (!is_permutation(comm, reordered.get(), grid))
    return {Verdict::wrong, "the ranks of MPI_Cart_create with reorder do not fit their coordinates",
            "makes Cartesian communicators of its own order, without MPI's reorder"};
  const bool moved = anywhere(comm, mpi::rank(kept.get()) != mpi::rank(reordered.get()));
  const Cart ours(comm, grid, stencil);
  const Count before = internode_cost(kept.get(), stencil).total;
  const Count after = internode_cost(reordered.get(), stencil).total;
  const Count placed = internode_cost(ours.comm(), stencil).total;
  const char* const does = moved ? "moves ranks" : "moves nobody";
  if (before == 0)
    return {Verdict::ok, fmt::format("MPI_Cart_create with reorder {}; nothing crosses between nodes", does)};
  const std::string found =
      fmt::format("MPI_Cart_create with reorder {}: {} messages between nodes before, {} after, grid {}",
                  does, before, after, grid.to_text());
  if (placed < after) return {Verdict::slow, found, fmt::format("places the same grid with {}", placed)};
  return {Verdict::ok, found};
}

Finding examine_dims(MPI_Comm comm) {
  constexpr int most_processes = 4096, least_dims = 2, most_dims = 4;
  struct Worst {
    int processes = 0, dimensions = 0;
    double ratio = 1;
  } mine;
  long cases = 0, worse = 0;
  const int ranks = mpi::size(comm);
  for (int p = 2 + mpi::rank(comm); p <= most_processes; p += ranks)
    for (int d = least_dims; d <= most_dims; ++d) {
      std::vector<int> dims(to_size(d), 0);
      HALOCLINE_MPI(Dims_create, p, d, dims.data());
      const Count best = sum(plan::choose_dims(p, Weights::equal(dims.size())));
      const Count given = sum(Counts(dims.begin(), dims.end()));
      ++cases;
      if (given <= best) continue;
      ++worse;
      if (const double ratio = ratio_of(given, best); ratio > mine.ratio) mine = {p, d, ratio};
    }
  std::array<long, 2> counted{cases, worse}, total{};
  HALOCLINE_MPI(Allreduce, counted.data(), total.data(), 2, MPI_LONG, MPI_SUM, comm);
  if (total[1] == 0)
    return {Verdict::ok,
            fmt::format("MPI_Dims_create is balanced for all of 2 to {} processes, {} to {} dimensions",
                        most_processes, least_dims, most_dims)};
  std::vector<Worst> all(to_size(ranks));
  HALOCLINE_MPI(Allgather, &mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm);
  const Worst worst = *std::max_element(all.begin(), all.end(),
                                        [](const Worst& a, const Worst& b) { return a.ratio < b.ratio; });
  std::vector<int> dims(to_size(worst.dimensions), 0);
  HALOCLINE_MPI(Dims_create, worst.processes, worst.dimensions, dims.data());
  const Grid theirs(Counts(dims.begin(), dims.end()));
  const Grid ours(plan::choose_dims(worst.processes, Weights::equal(dims.size())));
  return {Verdict::slow,
          fmt::format(
              "MPI_Dims_create is not balanced in {} of {} cases (2 to {} processes, {} to {} dimensions): "
              "{} processes become {}",
              total[1], total[0], most_processes, least_dims, most_dims, worst.processes, theirs.to_text()),
          fmt::format("makes it {}, exactly, and fits the mesh and the machine", ours.to_text())};
}

}  // namespace halocline::tools
