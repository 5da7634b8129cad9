// SPDX-License-Identifier: BSD-3-Clause
// Examinations of speed: MPI's packing and neighbourhood collectives beside ours, by ratios within one run.

#include "base/numbers.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/bench/rivals/pack_contest.hpp"
#include "tools/bench/rivals/rival_exchanges.hpp"
#include "tools/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace halocline::tools {
namespace {

/// Below this a difference is not worth a word on a noisy machine.
constexpr double clearly = 1.25;

/// Repetitions that take about `seconds`, the same on all processes.
int affordable_repetitions(MPI_Comm comm, const std::vector<Competitor>& competitors, double seconds) {
  constexpr int least = 3, most = 30;
  double mine = 0, slowest = 0;
  for (int i = 0; i < 2; ++i)  // the first time is never typical
    mine = seconds_of(wall_clock, [&] {
      for (const Competitor& competitor : competitors) competitor.run();
    });
  HALOCLINE_MPI(Allreduce, &mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  return static_cast<int>(std::clamp(seconds / std::max(slowest, 1e-6), double{least}, double{most}));
}

/// MPI_Neighbor_alltoall's time over ours for blocks of that size, and whether both delivered the same.
struct CollectiveRatio {
  double ratio;
  bool same_blocks;
};

CollectiveRatio collective_ratio(MPI_Comm cart, const Neighborhood& neighborhood, int block_bytes) {
  const std::size_t bytes = neighborhood.size() * to_size(block_bytes);
  std::vector<std::byte> sent(bytes), by_mpi(bytes), by_us(bytes);
  const Rank me = mpi::rank(cart);
  const RivalProblem problem{cart,
                             Operation::alltoall,
                             exchange::neighbours_of(neighborhood.grid(), neighborhood.offsets(), me),
                             me,
                             block_bytes,
                             sent.data(),
                             by_mpi.data()};
  NeighborCollective collective(problem);
  std::vector<Block> from, to;
  for (std::size_t i = 0; i < neighborhood.size(); ++i) {
    const std::size_t place = i * to_size(block_bytes);
    from.push_back({sent.data() + place, Layout::named(Elementary::byte), block_bytes});
    to.push_back({by_us.data() + place, Layout::named(Elementary::byte), block_bytes});
  }
  Exchange exchange = Exchange::alltoall(neighborhood, from, to);
  const std::vector<Competitor> competitors{{"mpi", [&] { collective.run(); }}, {"ours", [&] {
                                                                                   exchange.start();
                                                                                   exchange.wait();
                                                                                 }}};
  int generation = 0;
  // All blocks of a process are alike: where several edges lead to one process, their order is examined
  // elsewhere.
  const auto rewrite = [&] {
    ++generation;
    std::fill(sent.begin(), sent.end(), static_cast<std::byte>(generation + to_int(me) * 37));
  };
  const ContestRules rules{.repetitions = affordable_repetitions(cart, competitors, 0.5),
                           .runs = 3,
                           .prepare = [&](const Competitor&) { rewrite(); }};
  std::vector<double> ratios;
  for (const std::vector<double>& run : measure(cart, competitors, rules)) ratios.push_back(run[0] / run[1]);
  rewrite();
  for (const Competitor& competitor : competitors) competitor.run();
  return {median(ratios), !anywhere(cart, by_mpi != by_us)};
}

}  // namespace

Finding examine_pack_speed(MPI_Comm comm) {
  constexpr int side = 128;
  constexpr double budget_seconds = 0.15;
  std::string list;
  double worst = 0;
  bool same = true;
  if (mpi::rank(comm) == 0)
    for (const PackPattern& pattern : pack_patterns()) {
      const mpi::Datatype type = pattern.make(side);
      const PackTimes times = pack_times(comm, type.get(), side, budget_seconds);
      list += fmt::format("{}{} {:.1f}", list.empty() ? "" : ", ", pattern.name, times.ratio);
      worst = std::max(worst, times.ratio);
      same = same && times.same_bytes;
    }
  wait_asleep(comm);
  const std::string found =
      fmt::format("how many times as fast as MPI_Pack Halocline is, {0}^3 doubles: {1}", side, list);
  if (!same) return {Verdict::wrong, found + "; and other bytes than ours", "packs what the datatype names"};
  if (worst < clearly) return {Verdict::ok, found};
  return {Verdict::slow, found, "packs by kernels over a canonical form of the datatype"};
}

Finding examine_collective_speed(MPI_Comm comm) {
  std::vector<int> dims(3, 0);
  HALOCLINE_MPI(Dims_create, mpi::size(comm), 3, dims.data());
  const Grid grid(Counts(dims.begin(), dims.end()), Periodicity(3, true));
  const mpi::Comm cart = mpi::create_cart(comm, grid, grid.cell(mpi::rank(comm)));
  const Neighborhood neighborhood(cart.get(), Stencil::moore(3, 1));
  const CollectiveRatio small = collective_ratio(cart.get(), neighborhood, 64);
  const CollectiveRatio medium = collective_ratio(cart.get(), neighborhood, 4096);
  const std::string found = fmt::format(
      "how many times as fast as MPI_Neighbor_alltoall Halocline is, 26 neighbours on {}: {:.1f} at 64 B, "
      "{:.1f} at 4 KiB",
      Grid(grid.extents()).to_text(), small.ratio, medium.ratio);
  if (!small.same_blocks || !medium.same_blocks)
    return {Verdict::wrong, found + "; and other blocks than ours"};
  if (std::min(small.ratio, medium.ratio) * clearly < 1)
    return {
        Verdict::ok, found,
        "is slower in this run; nodes that are only described and processes without a processor each tell "
        "little, halocline bench exchange tells more"};
  if (std::max(small.ratio, medium.ratio) < clearly) return {Verdict::ok, found};
  return {Verdict::slow, found,
          "exchanges through shared memory on a node and combines messages between nodes"};
}

}  // namespace halocline::tools
