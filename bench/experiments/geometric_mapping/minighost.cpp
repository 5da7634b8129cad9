// MiniGhost on a Titan-like machine: section 5.3.2 and Figure 14 of "Exploiting Geometric Partitioning in
// Task Mapping for Parallel Computers".
//
//   minighost [allocations [rotations]]
//
// A seven-point stencil on 8K to 128K tasks, open borders, on sparse allocations of a 25 x 16 x 24 torus with
// Titan's bandwidths (GB/s), 2 nodes a router, 16 cores a node. Every line is the mean over some allocations
// (8 unless given; the paper has 2) of the best of the first rotations (36 unless given: all of three by
// three dimensions; z2_3, which sees six dimensions of the machine, has 4320).

#include "base/index.hpp"
#include "geometric_mapping/number_argument.hpp"
#include "geometric_mapping/sparse_allocation.hpp"
#include "network/mapping_problem.hpp"
#include "network/routing/metrics.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <string>

namespace halocline::network {
namespace {

constexpr Count cores_per_node = 16;
constexpr double message_megabytes = 60 * 60 * 40 * 8 / 1e6;  // a face of 60 x 60 cells, 40 variables

/// Along y two routers share a board, along z eight share a backplane; cables join them.
Network titan() {
  return Network::parse("torus:25x16x24 bandwidth:75,75/37.5,120/120/120/120/120/120/120/75 hosts:2");
}

/// The scheduler's line, and so the default order of ranks, goes through a box of a x 2 x 4 routers before it
/// takes a slow link along y; a depends on the allocation and is between 2 and 5 (section 5.3.1).
Counts box_of(std::uint64_t seed) { return {2 + static_cast<Count>(seed % 4), 2, 4}; }

/// Extents as z, y, x: MiniGhost numbers its tasks x first.
std::vector<Counts> task_grids() {
  return {{16, 16, 32}, {16, 32, 32}, {32, 32, 32}, {32, 32, 64}, {32, 64, 64}};
}

Counts default_cores(const Grid& tasks) {
  Counts cores(static_cast<std::size_t>(tasks.size()));
  std::iota(cores.begin(), cores.end(), Count{0});
  return cores;
}

/// MiniGhost's own grouping: blocks of 2 x 2 x 4 tasks (x, y, z) on each node, the blocks in the order of
/// tasks.
Counts grouped_cores(const Grid& tasks) {
  const Counts block{4, 2, 2};
  Counts blocks;
  for (std::size_t d = 0; d < 3; ++d) blocks.push_back(tasks.extents()[d] / block[d]);
  const Grid outer(blocks);
  const Grid inner(block);
  Counts cores;
  for (Count task = 0; task < tasks.size(); ++task) {
    Cell cell = tasks.cell(task);
    Cell within(3);
    for (std::size_t d = 0; d < 3; ++d) {
      within[d] = cell[d] % block[d];
      cell[d] /= block[d];
    }
    cores.push_back(outer.index(cell) * inner.size() + inner.index(within));
  }
  return cores;
}

struct Line {
  Metrics sum{};
  double seconds = 0;
};

class Experiment {
 public:
  Experiment(std::uint64_t allocations, Count most_rotations)
      : allocations_(allocations), most_rotations_(most_rotations) {}

  void run() const {
    std::printf("%8s  %-8s %12s %16s %10s %12s %9s\n", "tasks", "mapping", "AverageHops", "WeightedHops GB",
                "Data MB", "Latency ms", "seconds");
    for (const Counts& extents : task_grids()) {
      const Grid grid(extents);
      print(grid, "Default", [&](const Allocation&) { return default_cores(grid); });
      print(grid, "Group", [&](const Allocation&) { return grouped_cores(grid); });
      for (const Variant& way : variants())
        if (way.aim == Aim::weighted_hops)  // those of the paper
          print(grid, way.name, [&](const Allocation& allocation) { return mapped(grid, allocation, way); });
    }
  }

 private:
  Counts mapped(const Grid& grid, const Allocation& allocation, const Variant& way) const {
    const MappingProblem problem(Points::of_grid(grid), messages(grid), allocation, {cores_per_node},
                                 way.view, way.options);
    const Score best = problem.best(0, std::min(problem.rotations(), most_rotations_));
    return problem.core_of_task(best.rotation);
  }

  static TaskMessages messages(const Grid& grid) {
    return TaskMessages::of_stencil(grid, Stencil::nearest(3));
  }

  void print(const Grid& grid, std::string_view name,
             const std::function<Counts(const Allocation&)>& cores_of) const {
    Line line;
    for (std::uint64_t seed = 1; seed <= allocations_; ++seed) {
      const Allocation allocation =
          sparse_allocation(titan(), grid.size() / cores_per_node, seed, box_of(seed));
      const auto start = std::chrono::steady_clock::now();
      const Counts core_of_task = cores_of(allocation);
      line.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const Counts node_of = node_of_core(allocation, {cores_per_node});
      Counts nodes;
      for (const Count core : core_of_task) nodes.push_back(node_of[to_index(core)]);
      const Metrics metrics = measure(messages(grid), allocation.network(), nodes);
      line.sum.average_hops += metrics.average_hops;
      line.sum.weighted_hops += metrics.weighted_hops;
      line.sum.max_data += metrics.max_data;
      line.sum.max_latency += metrics.max_latency;
    }
    const auto mean = [&](double sum) { return sum / static_cast<double>(allocations_); };
    std::printf("%8lld  %-8.*s %12.2f %16.1f %10.1f %12.3f %9.2f\n", static_cast<long long>(grid.size()),
                static_cast<int>(name.size()), name.data(), mean(line.sum.average_hops),
                mean(line.sum.weighted_hops) * message_megabytes / 1e3,
                mean(line.sum.max_data) * message_megabytes, mean(line.sum.max_latency) * message_megabytes,
                mean(line.seconds));
    std::fflush(stdout);
  }

  std::uint64_t allocations_;
  Count most_rotations_;
};

}  // namespace
}  // namespace halocline::network

int main(int argc, char** argv) try {
  const int allocations = halocline::bench::number_argument(argc, argv, 1, 8, 1);
  const int rotations = halocline::bench::number_argument(argc, argv, 2, 36, 1);
  if (argc > 3) {
    std::fprintf(stderr, "usage: minighost [allocations [rotations]], both at least 1\n");
    return 2;
  }
  halocline::network::Experiment(static_cast<std::uint64_t>(allocations), rotations).run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "minighost: %s\n", error.what());
  return 1;
}
