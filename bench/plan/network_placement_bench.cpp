// What stencil placement and geometric mapping are worth alone and together:
//   halocline_bench network-placement [allocations]
// J_sum (messages between nodes), WeightedHops (links travelled by them) and the largest load of a link, each
// divided by that of tasks in rank order; means over some sparse allocations (3 unless given).
//   mapping: z2_1 of all tasks onto all cores     placement: place::best, nodes in the order of the job
//   both: the same placement, its nodes mapped    links: of all placements and mappings, the least load
// Uneven machines are those where a part of the nodes has fewer ranks.

#include "../number_argument.hpp"
#include "base/index.hpp"
#include "benchmarks.hpp"
#include "geometric_mapping/sparse_allocation.hpp"
#include "network/routing/metrics.hpp"
#include "place/best.hpp"
#include "plan/placement/network_contest.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace halocline::plan {
namespace {

struct Instance {
  const char* grid;
  const char* stencil;
  const char* nodes;
  const char* network;
};

constexpr Instance instances[] = {
    {"32x32x16", "nearest", "1024x16", "torus:25x16x24 hosts:2"},
    {"32x32x32", "nearest", "2048x16", "torus:25x16x24 hosts:2"},
    {"32x32x32", "moore:1", "2048x16", "torus:25x16x24 hosts:2"},
    {"256x128", "nearest", "2048x16", "torus:25x16x24 hosts:2"},
    {"40x36x30", "nearest", "900x48", "torus:25x16x24 hosts:2"},
    {"240x180", "hops", "900x48", "torus:25x16x24 hosts:2"},
    {"40x36x26", "nearest", "700x48,160x24", "torus:25x16x24 hosts:2"},
    {"240x156", "hops", "700x48,160x24", "torus:25x16x24 hosts:2"},
    {"48x40x32", "nearest", "960x64", "torus:8x8x8x8x2"},
    {"48x40x32", "nearest", "960x64", "fat-tree:12x12x18"},
    {"48x40x32", "nearest", "960x64", "dragonfly:16x32x4"},
};

struct Costs {
  double j_sum = 0, hops = 0, load = 0, seconds = 0;
};

class Bench {
 public:
  explicit Bench(std::uint64_t allocations) : allocations_(allocations) {}

  void run() const {
    std::printf("%-9s %-8s %-14s %-22s | %-20s | %-20s | %-27s | %-27s\n", "grid", "stencil", "nodes",
                "network", "mapping J  hops load", "placement", "both                  [s]",
                "links                 [s]");
    for (const Instance& instance : instances) line(instance);
  }

 private:
  static Costs costs(const Messages& messages, const Allocation& allocation, const Counts& node_of_task,
                     double j_sum) {
    Counts nodes;
    for (const Count node : node_of_task) nodes.push_back(allocation.nodes()[to_index(node)]);
    const Metrics metrics = network::measure(messages, allocation.network(), nodes);
    return {j_sum, metrics.weighted_hops, metrics.max_data, 0};
  }

  template <class Work>
  static Placement timed(double& seconds, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    Placement made = work();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
  }

  static double crossing(const Messages& messages, const Counts& node_of_task) {
    double sum = 0;
    messages.for_each_run([&](const Messages::Run& run) {
      for (Count i = 0; i < run.length; ++i)
        if (node_of_task[to_index(run.from + i)] != node_of_task[to_index(run.to + i)]) sum += run.weight;
    });
    return sum;
  }

  static Counts nodes_of(const place::Problem& problem, const Placement& placement) {
    Counts nodes(static_cast<std::size_t>(problem.grid().size()));
    placement.ranks(0, nodes);
    for (Count& node : nodes) node = problem.machine().node_of(node);
    return nodes;
  }

  static Counts mapped(const place::Problem& problem, const Messages& messages,
                       const Allocation& allocation) {
    const Runs& sizes = problem.machine().node_sizes();
    Counts cores;
    for (Count node = 0; node < sizes.size(); ++node) cores.push_back(sizes[node]);
    const network::MappingProblem mapping(Points::of_grid(problem.grid()), messages, allocation, cores);
    const Count most = std::min<Count>(mapping.rotations(), 36);
    Counts nodes = mapping.core_of_task(mapping.best(0, most).rotation);
    for (Count& node : nodes) node = problem.machine().node_of(node);
    return nodes;
  }

  void line(const Instance& instance) const {
    const Grid grid = Grid::parse(instance.grid);
    const place::Problem problem(grid, Stencil::parse(instance.stencil, grid.dimensions()),
                                 Machine::of_nodes(Runs::parse(instance.nodes)));
    const Messages messages = Messages::of_stencil(grid, problem.stencil());
    const Network network = Network::parse(instance.network);
    const place::BestPlacement best = place::best(problem);
    const Counts plain = nodes_of(problem, place::algorithm("blocked").place(problem));
    const Counts placed = nodes_of(problem, best.placement);
    Costs sums[4];
    for (std::uint64_t seed = 1; seed <= allocations_; ++seed) {
      const Allocation allocation = network::sparse_allocation(network, problem.machine().nodes(), seed);
      const Counts by_mapping = mapped(problem, messages, allocation);
      double both_seconds = 0, links_seconds = 0;
      const Placement both = timed(
          both_seconds, [&] { return place_on_network(problem, best.placement, allocation).placement; });
      const Placement links = timed(links_seconds, [&] {
        const Candidate first{std::string(best.algorithm), best.placement};
        return place_on_network(problem, network_candidates(problem, first, "best", "links"), allocation,
                                {.variant = "links"})
            .on_network.placement;
      });
      const Counts nodes[] = {by_mapping, placed, nodes_of(problem, both), nodes_of(problem, links)};
      const double seconds[] = {0, 0, both_seconds, links_seconds};
      const Costs base = costs(messages, allocation, plain, crossing(messages, plain));
      for (std::size_t way = 0; way < 4; ++way) {
        const Costs its = costs(messages, allocation, nodes[way], crossing(messages, nodes[way]));
        const auto parts = static_cast<double>(allocations_);
        sums[way].j_sum += its.j_sum / base.j_sum / parts;
        sums[way].hops += its.hops / base.hops / parts;
        sums[way].load += its.load / base.load / parts;
        sums[way].seconds += seconds[way] / parts;
      }
    }
    std::printf("%-9s %-8s %-14s %-22s", instance.grid, instance.stencil, instance.nodes, instance.network);
    for (const Costs& sum : sums) {
      std::printf(" | %6.3f %6.3f %6.3f", sum.j_sum, sum.hops, sum.load);
      if (sum.seconds > 0) std::printf(" %6.3f", sum.seconds);
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  std::uint64_t allocations_;
};

}  // namespace
}  // namespace halocline::plan

int halocline::bench::network_placement(int argc, char** argv) try {
  const int allocations = number_argument(argc, argv, 1, 3, 1);
  if (argc > 2) {
    std::fprintf(stderr, "usage: halocline_bench network-placement [allocations], at least 1\n");
    return 2;
  }
  halocline::plan::Bench(static_cast<std::uint64_t>(allocations)).run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "halocline_bench network-placement: %s\n", error.what());
  return 1;
}
