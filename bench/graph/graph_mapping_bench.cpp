// What the mapper of graphs leaves between nodes, beside the default order, the algorithms for grids and
// graph partitioners that are installed.

#include "base/numbers.hpp"
#include "graph/graphs.hpp"
#include "graph/partitioners.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "place/best.hpp"
#include "place/graph/map_graph.hpp"
#include "ratios.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <memory>
#include <numeric>
#include <optional>

namespace halocline::bench {
namespace {

using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::ProgressBar;
using tools::seconds_of;
using tools::Table;

/// Of all threads: Scotch may have several. What waits for other programs does not count.
double spent_clock() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Words {
  std::uint64_t seed = 2026;
  bool large = false;
  bool quick = false;
};

/// All bytes that cross between nodes, by whom.
struct Crossings {
  Count in_order = 0, ours = 0;
  double our_seconds = 0, scotch_seconds = 0, kahip_seconds = 0;
  std::optional<Count> by_grid, by_scotch, by_inexact_scotch, by_metis, by_kahip;
};

Crossings crossings(const GraphInstance& instance, const Words& words) {
  const Machine machine = Machine::of_nodes(Runs::parse(instance.nodes));
  std::vector<Rank> order(to_size(machine.ranks()));
  std::iota(order.begin(), order.end(), Rank{0});
  Crossings result;
  result.in_order = place::cost_of(instance.graph, machine, order).node().crossing;
  result.our_seconds = seconds_of(spent_clock, [&] {
    result.ours = place::map_graph(instance.graph, machine, {words.seed}).cost.node().crossing;
  });
  if (instance.grid) result.by_grid = place::best(*instance.grid).cost.j_sum();
  result.scotch_seconds = seconds_of(spent_clock, [&] {
    if (const auto scotch = crossing_by_scotch(instance.graph, machine.node_sizes())) {
      result.by_scotch = scotch->exact;
      result.by_inexact_scotch = scotch->before;
    }
  });
  if (const auto metis = crossing_by_metis(instance.graph, machine.node_sizes()))
    result.by_metis = metis->exact;
  result.kahip_seconds = seconds_of(spent_clock, [&] {
    if (const auto kahip = crossing_by_kahip(instance.graph, machine.node_sizes()))
      result.by_kahip = kahip->exact;
  });
  return result;
}

/// Ours to theirs, which also counts for the mean.
Entry ratio(Count ours, const std::optional<Count>& theirs, const std::string& name, Ratios& ratios) {
  if (!theirs || *theirs == 0 || ours == 0) return {"-", nullptr};
  const double value = ratio_of(ours, *theirs);
  ratios.add(value, name);
  return decimal(value, 3);
}

Answer answer_graph_mapping(const Words& words) {
  ProgressBar progress("graphs");
  Table table({Column::left("graph", 22, "graph"), Column::left("nodes", 12, "nodes"),
               Column::right("in order", 9, "in_order"), Column::right("ours", 9, "ours"),
               Column::right("/in order", 9, "to_in_order"), Column::right("/grid", 7, "to_grid"),
               Column::right("/Scotch", 8, "to_scotch"), Column::right("/inexact", 8, "to_inexact_scotch"),
               Column::right("/METIS", 7, "to_metis"), Column::right("/KaHIP", 7, "to_kahip"),
               Column::right("ours [s]", 9, "seconds"), Column::right("Scotch [s]", 10, "scotch_seconds"),
               Column::right("KaHIP [s]", 9, "kahip_seconds")});
  std::array<Ratios, 6> ratios;
  std::vector<GraphInstance> instances = chosen(graph_instances(words.seed), words.quick);
  if (words.large) instances.push_back(large_graph_instance(words.seed));
  double done = 0;
  for (const GraphInstance& instance : instances) {
    const std::string name = fmt::format("{} on {}", instance.name, instance.nodes);
    progress.at(name, done++ / to_double(instances.size()));
    const Crossings found = crossings(instance, words);
    table.add({instance.name, instance.nodes, found.in_order, found.ours,
               ratio(found.ours, found.in_order, name, ratios[0]),
               ratio(found.ours, found.by_grid, name, ratios[1]),
               ratio(found.ours, found.by_scotch, name, ratios[2]),
               ratio(found.ours, found.by_inexact_scotch, name, ratios[3]),
               ratio(found.ours, found.by_metis, name, ratios[4]),
               ratio(found.ours, found.by_kahip, name, ratios[5]), decimal(found.our_seconds, 2),
               decimal(found.scotch_seconds, 2), decimal(found.kahip_seconds, 2)});
  }
  Answer answer;
  append(answer, "crossings", "Bytes between nodes\n", table);
  Table means({Column::left("ours / ", 14, "beside"), Column::right("count", 5, "count"),
               Column::right("mean", 6, "mean"), Column::right("worst", 6, "worst"),
               Column::left("which", 40, "which")});
  const std::array names{"in order", "grid", "Scotch", "inexact Scotch", "METIS", "KaHIP"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (ratios[i].count() > 0)
      means.add({names[i], ratios[i].count(), decimal(ratios[i].mean(), 3), decimal(ratios[i].largest(), 3),
                 ratios[i].largest_name()});
  append(answer, "means", "\nGeometric means\n", means);
  return answer;
}

}  // namespace

tools::Action declare_graph_mapping(tools::Options& options) {
  auto words = std::make_shared<Words>();
  options.add_option("seed", words->seed, "of the random graphs, and of the mapper").capture_default_str();
  options.add_flag("--large", words->large, "a graph of 100,000 ranks as well");
  add_quick_option(options, words->quick);
  return [words] { return answer_graph_mapping(*words); };
}

}  // namespace halocline::bench
