// What stencil placement and geometric mapping are worth alone and together: J_sum (messages between nodes),
// WeightedHops (links travelled by them) and the largest load of a link, each divided by that of tasks in
// rank order; means over some sparse allocations.
//   mapping: z2_1 of all tasks onto all cores     placement: place::best, nodes in the order of the job
//   both: the same placement, its nodes mapped    links: of all placements and mappings, the least load
// Uneven machines are those where a part of the nodes has fewer ranks.

#include "base/index.hpp"
#include "geometric_mapping/sparse_allocation.hpp"
#include "network/routing/metrics.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "place/best.hpp"
#include "plan/placement/network_contest.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using plan::Candidate;
using plan::place_on_network;
using tools::Answer;
using tools::Entry;
using tools::Table;
using tools::timed;

struct Instance {
  const char* grid;
  const char* stencil;
  const char* nodes;
  const char* network;
};

constexpr std::array instances{
    Instance{"32x32x16", "nearest", "1024x16", "torus:25x16x24 hosts:2"},
    Instance{"32x32x32", "nearest", "2048x16", "torus:25x16x24 hosts:2"},
    Instance{"32x32x32", "moore:1", "2048x16", "torus:25x16x24 hosts:2"},
    Instance{"256x128", "nearest", "2048x16", "torus:25x16x24 hosts:2"},
    Instance{"40x36x30", "nearest", "900x48", "torus:25x16x24 hosts:2"},
    Instance{"240x180", "hops", "900x48", "torus:25x16x24 hosts:2"},
    Instance{"40x36x26", "nearest", "700x48,160x24", "torus:25x16x24 hosts:2"},
    Instance{"240x156", "hops", "700x48,160x24", "torus:25x16x24 hosts:2"},
    Instance{"48x40x32", "nearest", "960x64", "torus:8x8x8x8x2"},
    Instance{"48x40x32", "nearest", "960x64", "fat-tree:12x12x18"},
    Instance{"48x40x32", "nearest", "960x64", "dragonfly:16x32x4"},
};

struct Costs {
  double j_sum = 0, hops = 0, load = 0, seconds = 0;

  /// A share of how these compare with others.
  void add(const Costs& its, const Costs& base, double parts) {
    j_sum += its.j_sum / base.j_sum / parts;
    hops += its.hops / base.hops / parts;
    load += its.load / base.load / parts;
    seconds += its.seconds / parts;
  }
};

Costs costs(const TaskMessages& messages, const Allocation& allocation, const Counts& node_of_task,
            double j_sum) {
  Counts nodes;
  for (const Count node : node_of_task) nodes.push_back(allocation.nodes()[to_index(node)]);
  const Metrics metrics = network::measure(messages, allocation.network(), nodes);
  return {j_sum, metrics.weighted_hops, metrics.max_data, 0};
}

double crossing(const TaskMessages& messages, const Counts& node_of_task) {
  double sum = 0;
  messages.for_each_run([&](const TaskMessages::Run& run) {
    for (Count i = 0; i < run.length; ++i)
      if (node_of_task[to_index(run.from + i)] != node_of_task[to_index(run.to + i)]) sum += run.weight;
  });
  return sum;
}

Counts nodes_of(const place::Problem& problem, const Placement& placement) {
  Counts nodes(static_cast<std::size_t>(problem.grid().size()));
  placement.ranks(0, nodes);
  for (Count& node : nodes) node = problem.machine().node_of(node);
  return nodes;
}

Counts mapped(const place::Problem& problem, const TaskMessages& messages, const Allocation& allocation) {
  const Runs& sizes = problem.machine().node_sizes();
  Counts cores;
  for (Count node = 0; node < sizes.size(); ++node) cores.push_back(sizes[node]);
  const network::MappingProblem mapping(Points::of_grid(problem.grid()), messages, allocation, cores);
  const Count most = std::min<Count>(mapping.rotations(), 36);
  Counts nodes = mapping.core_of_task(mapping.best(0, most).rotation);
  for (Count& node : nodes) node = problem.machine().node_of(node);
  return nodes;
}

/// Everything about an instance that does not depend on where its nodes are.
class Placed {
 public:
  explicit Placed(const Instance& instance)
      : problem_(problem_of(instance)),
        messages_(TaskMessages::of_stencil(problem_.grid(), problem_.stencil())),
        network_(Network::parse(instance.network)),
        best_(place::best(problem_)),
        plain_(nodes_of(problem_, place::algorithm("blocked").place(problem_))) {}

  /// Mapping, placement, both and links, beside rank order; a share of the sums.
  void add(std::array<Costs, 4>& sums, std::uint64_t seed, double parts) const {
    const Allocation allocation = network::sparse_allocation(network_, problem_.machine().nodes(), seed);
    double both_seconds = 0, links_seconds = 0;
    const Placement both = timed(
        both_seconds, [&] { return place_on_network(problem_, best_.placement, allocation).placement; });
    const Placement links = timed(links_seconds, [&] {
      const Candidate first{std::string(best_.algorithm), best_.placement};
      return place_on_network(problem_, plan::network_candidates(problem_, first, "best", "links"),
                              allocation, {.variant = NodeMapping::links})
          .on_network.placement;
    });
    const std::array nodes{mapped(problem_, messages_, allocation), nodes_of(problem_, best_.placement),
                           nodes_of(problem_, both), nodes_of(problem_, links)};
    const std::array seconds{0.0, 0.0, both_seconds, links_seconds};
    const Costs base = costs(messages_, allocation, plain_, crossing(messages_, plain_));
    for (std::size_t way = 0; way < nodes.size(); ++way) {
      Costs its = costs(messages_, allocation, nodes[way], crossing(messages_, nodes[way]));
      its.seconds = seconds[way];
      sums[way].add(its, base, parts);
    }
  }

 private:
  static place::Problem problem_of(const Instance& instance) {
    const Grid grid = Grid::parse(instance.grid);
    return {grid, Stencil::parse(instance.stencil, grid.dimensions()),
            Machine::of_nodes(Runs::parse(instance.nodes))};
  }

  place::Problem problem_;
  TaskMessages messages_;
  Network network_;
  place::BestPlacement best_;
  Counts plain_;
};

Entry entry_of(const Costs& costs) {
  std::string text = fmt::format("{:6.3f} {:6.3f} {:6.3f}", costs.j_sum, costs.hops, costs.load);
  nlohmann::ordered_json json{{"j_sum", costs.j_sum}, {"hops", costs.hops}, {"load", costs.load}};
  if (costs.seconds > 0) {
    text += fmt::format(" {:6.3f}", costs.seconds);
    json["seconds"] = costs.seconds;
  }
  return {std::move(text), std::move(json)};
}

Answer answer_network_placement(int allocations, bool quick) {
  tools::ProgressBar progress("placing on networks");
  Table table({Column::left("grid", 9, "grid"), Column::left("stencil", 8, "stencil"),
               Column::left("nodes", 14, "nodes"), Column::left("network", 22, "network"),
               Column::left("mapping J  hops load", 20, "mapping", " | "),
               Column::left("placement", 20, "placement", " | "),
               Column::left("both                  [s]", 27, "both", " | "),
               Column::left("links                 [s]", 27, "links", " | ")});
  const std::vector<Instance> all = chosen(instances, quick);
  for (const Instance& instance : all) {
    progress.at(fmt::format("{} on {}", instance.grid, instance.network),
                static_cast<double>(table.rows()) / static_cast<double>(all.size()));
    const Placed placed(instance);
    std::array<Costs, 4> sums;
    for (int seed = 1; seed <= allocations; ++seed)
      placed.add(sums, static_cast<std::uint64_t>(seed), allocations);
    std::vector<Entry> row{instance.grid, instance.stencil, instance.nodes, instance.network};
    for (const Costs& costs : sums) row.push_back(entry_of(costs));
    table.add(std::move(row));
  }
  Answer answer;
  append(answer, "instances", "", table);
  return answer;
}

}  // namespace

tools::Action declare_network_placement(tools::Options& options) {
  struct Words {
    int allocations = 3;
    bool quick = false;
  };
  auto words = std::make_shared<Words>();
  options.add_option("allocations", words->allocations, "random ones of each instance; their mean counts")
      .capture_default_str()
      .positive();
  add_quick_option(options, words->quick);
  return [words] { return answer_network_placement(words->allocations, words->quick); };
}

}  // namespace halocline::bench
