// SPDX-License-Identifier: BSD-3-Clause
// halocline map: tasks onto the nodes of a network, and what their messages cost there.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "network/mapping_problem.hpp"
#include "network/points/orderings.hpp"
#include "network/routing/metrics.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/command.hpp"
#include "tools/common/out_of_memory.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace halocline::tools {
namespace {

struct MapWords {
  std::string tasks;
  bool task_torus = false;
  StencilWords stencil;
  NetworkWords network;
  Count cores = 1;
  std::string order = "fz";
  bool rotate = false;
};

std::vector<std::string> order_names(const std::string& text) {
  std::vector<std::string> names;
  if (text == "all") {
    for (const network::Ordering& ordering : network::orderings()) names.emplace_back(ordering.name);
    return names;
  }
  for (const std::string& name : listed_words(text))
    names.emplace_back(read_option("--order", name, network::ordering).name);
  require(!names.empty(), "--order is empty; it is a list such as z,fz");
  return names;
}

struct Mapped {
  std::string order;
  Count rotation;
  Metrics metrics;
  double seconds;
};

/// The points of tasks and cores, in how many bytes they were seen to take, before there are any.
void require_memory_for(const MapWords& words, const Grid& tasks) {
  const Network network = words.network.network();
  if (words.network.has_allocation()) return;  // The file has been written, and is of one line a node.
  const auto dimensions = to_double(network.extents().size());
  const double cores = to_double(network.nodes()) * to_double(std::min(words.cores, tasks.size()));
  const auto points = to_double(tasks.size());
  require_memory(
      fmt::format(
          "--tasks {} --network \"{}\" --cores {}: {:.3g} tasks, and the {:.3g} cores they could be on,",
          words.tasks, network.to_text(), words.cores, points, cores),
      cores * (32 + 12 * dimensions) + points * (16 + 12 * to_double(tasks.dimensions())));
}

/// Tries all of them. What the first few take says how long that will be.
Count best_rotation(const network::MappingProblem& problem, const std::string& order, ProgressBar& progress) {
  constexpr double most_seconds = 3600;
  const Count rotations = problem.rotations();
  // Neighbouring ones share work.
  const Count at_once = std::max<Count>(rotations / 50, 24);
  std::optional<network::Score> least;
  double passed = 0;
  for (Count first = 0; first < rotations;) {
    const Count last = std::min(least ? first + at_once : 24, rotations);
    double seconds = 0;
    const network::Score score = timed(seconds, [&] { return problem.best(first, last); });
    least = least ? std::min(*least, score) : score;
    first = last;
    passed += seconds;
    const double share = ratio_of(first, rotations);
    if (passed / share > most_seconds)
      fail(Fault::unsupported, "--rotate: there are ", rotations, " rotations, which take about ",
           fmt::format("{:.3g}", passed / share / 3600), " hours; it tries them for at most one");
    progress.at(order, share);
  }
  return least->rotation;
}

Mapped mapped(const MapWords& words, const Grid& tasks, const TaskMessages& messages,
              const Allocation& allocation, const std::string& order, ProgressBar& progress) {
  // The whole network has no gap to shift the border into: shifting is for the nodes a job really got.
  const network::MachineView view{.shift = words.network.has_allocation()};
  Mapped result{order, 0, {}, 0};
  const Counts nodes = timed(result.seconds, [&] {
    const network::MappingProblem problem(Points::of_grid(tasks), messages, allocation, {words.cores}, view,
                                          {.ordering = order});
    if (words.rotate) result.rotation = best_rotation(problem, order, progress);
    return problem.node_of_task(problem.core_of_task(result.rotation));
  });
  result.metrics = network::measure(messages, allocation.network(), nodes);
  return result;
}

Answer answer_map(const MapWords& words) {
  require(words.cores >= 1, "--cores ", words.cores, ": the cores of a node are not positive");
  ProgressBar progress("map");
  const Grid open = read_option("--tasks", words.tasks, Grid::parse);
  const Grid tasks(open.extents(), Periodicity(open.dimensions(), words.task_torus));
  require_memory_for(words, tasks);
  const TaskMessages messages = TaskMessages::of_stencil(tasks, words.stencil.stencil(tasks.dimensions()));
  const Allocation allocation = words.network.allocation().allocation;

  Table table({Column::left("order", 10, "order"), Column::right("average hops", 14, "average_hops"),
               Column::right("weighted hops", 16, "weighted_hops"), Column::right("max data", 14, "max_data"),
               Column::right("max latency", 14, "max_latency"), Column::hidden("rotation"),
               Column::right("time [s]", 10, "seconds")});
  for (const std::string& order : order_names(words.order)) {
    progress.at(order, -1);
    const Mapped result = mapped(words, tasks, messages, allocation, order, progress);
    const Metrics& m = result.metrics;
    table.add({order, decimal(m.average_hops, 4), significant(m.weighted_hops, 6), significant(m.max_data, 6),
               significant(m.max_latency, 6), result.rotation, decimal(result.seconds, 4)});
  }
  return {table.to_text(), {{"results", table.to_json()}}};
}

}  // namespace

Action declare_map(Options& options) {
  auto words = std::make_shared<MapWords>();
  options.add_option("--tasks", words->tasks, "grid of tasks, such as 512x512").required();
  options.add_flag("--task-torus", words->task_torus, "tasks at opposite borders talk to each other, too");
  words->stencil.declare(options);
  words->network.declare(options).required();
  options.add_option("--cores", words->cores, "cores of each node").capture_default_str();
  options.add_option("--order", words->order, "orderings: a list of z, gray, fz, mfz, hilbert, or all")
      .capture_default_str();
  options.add_flag("--rotate", words->rotate, "try every rotation of the coordinates and take the best");
  return [words] { return answer_map(*words); };
}

}  // namespace halocline::tools
