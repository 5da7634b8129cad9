// How long the network floor takes, on one core:
//   mapping: 3-D tasks onto as many 3-D cores, FZ, coordinates in, cores out; cells of cubes and random
//   points metrics: a 7-point stencil on the same tasks, mapped, on a torus
// Each time is the shortest of some repeats, in seconds of the processor, so that others on a shared machine
// do not count.

#include "network/mapping.hpp"
#include "network/routing/metrics.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <random>

namespace halocline::bench {
namespace {

using tools::Answer;
using tools::decimal;
using tools::Table;

Points random_points(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> columns(3, std::vector<double>(size));
  for (auto& column : columns)
    for (double& x : column) x = static_cast<double>(random() >> 11) * 0x1p-53;
  return Points(std::move(columns));
}

void add(Table& table, int repeats, const Grid& grid, const char* kind, const Points& tasks,
         const Points& cores) {
  const auto seconds_of = [&](const auto& work) { return tools::least_seconds(work, {repeats, repeats, 0}); };
  Counts core_of_task;
  const double mapping = seconds_of([&] { core_of_task = network::map_tasks(tasks, cores); });
  const auto n = static_cast<double>(tasks.size());
  const Network torus = Network::torus(grid.extents());
  const auto messages = TaskMessages::of_stencil(grid, Stencil::nearest(3));
  const double hops = seconds_of([&] { (void)network::measure_hops(messages, torus, core_of_task); });
  const double metrics = seconds_of([&] { (void)network::measure(messages, torus, core_of_task); });
  table.add({tasks.size(), kind, decimal(mapping, 4), decimal(mapping / (n * std::log2(n)), 2, 1e9),
             decimal(hops, 4), decimal(metrics, 4)});
}

Answer answer_network(int repeats, bool quick) {
  tools::ProgressBar progress("mapping");
  Table table({Column::right("points", 9, "points"), Column::left("kind", 7, "kind", "  "),
               Column::right("mapping [s]", 12, "mapping_seconds"),
               Column::right("[ns / n log2 n]", 16, "mapping_seconds_by_n_log_n"),
               Column::right("hops [s]", 12, "hops_seconds"),
               Column::right("metrics [s]", 12, "metrics_seconds")});
  for (const Count extent : chosen(Counts{16, 25, 32, 40, 64, 100, 128}, quick)) {
    progress.at(fmt::format("{}^3 points", extent), -1);
    const Grid grid(Counts(3, extent), periodic(1, 1, 1));
    const Points cells = Points::of_grid(grid);
    add(table, repeats, grid, "cells", cells, cells);
    add(table, repeats, grid, "random", random_points(cells.size(), 1), random_points(cells.size(), 2));
  }
  Answer answer;
  append(answer, "mapping", "", table);
  return answer;
}

}  // namespace

tools::Action declare_network(tools::Options& options) {
  struct Words {
    int repeats = 3;
    bool quick = false;
  };
  auto words = std::make_shared<Words>();
  options.add_option("repeats", words->repeats, "of each; the shortest counts")
      .capture_default_str()
      .positive();
  add_quick_option(options, words->quick);
  return [words] { return answer_network(words->repeats, words->quick); };
}

}  // namespace halocline::bench
