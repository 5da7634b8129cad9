// SPDX-License-Identifier: BSD-3-Clause
// halocline simulate: the exchange engine on a machine that is only described: the plan for a mesh beside the
// default, or several placements, schedules and sizes beside each other.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/quantity.hpp"
#include "base/split.hpp"
#include "place/algorithms.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/prediction/prediction.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/common/command.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/simulate/simulate_report.hpp"
#include "tools/simulate/simulated_machine.hpp"
#include "tools/simulate/simulated_plan.hpp"
#include "tools/simulate/simulated_run.hpp"
#include "tools/simulate/simulated_trace.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <optional>

#include <unistd.h>

namespace halocline::tools {
namespace {

constexpr const char* usual_places = "blocked,best";

struct SimulateWords {
  bool list = false;
  std::string machine;
  std::string nodes;
  std::string grid;
  std::string mesh;
  std::string trace;
  PeriodicWords periodic;
  StencilWords stencil;
  std::string halo;
  Count fields = 1;
  std::string bytes;
  std::string places;
  std::string schedules;
  std::string shared = "on";
  bool unchecked = false;
  std::string svg;
};

Answer list_machines() {
  Answer answer;
  answer.json["machines"] = nlohmann::ordered_json::array();
  for (const SimulatedMachine& machine : simulated_machines()) {
    const simulate::Cluster& cluster = machine.cluster;
    answer.text += fmt::format("{}: {}\n  {} nodes of {} cores, {}\n", machine.name, cluster.title,
                               cluster.network.nodes(), cluster.cores, cluster.network.to_text());
    for (const std::string& source : cluster.sources) answer.text += fmt::format("  {}\n", source);
    answer.json["machines"].push_back({{"name", machine.name},
                                       {"title", cluster.title},
                                       {"nodes", cluster.network.nodes()},
                                       {"cores", cluster.cores},
                                       {"network", cluster.network.to_text()},
                                       {"sources", cluster.sources}});
  }
  return answer;
}

/// A number alone is that of full nodes.
Machine nodes_of(const SimulateWords& words, const simulate::Cluster& cluster) {
  require(!words.nodes.empty(),
          "--nodes is missing: --nodes 50 means 50 full nodes, --nodes 50x24 half of them");
  return read_option("--nodes", words.nodes, [&](const std::string& text) {
    const bool number = text.find_first_not_of("0123456789") == std::string::npos;
    if (!number) return Machine::of_nodes(Runs::parse(text));
    return Machine::of_nodes(Runs::of(parse_counts(text).front(), cluster.cores));
  });
}

struct SimulatedFields {
  Grid grid;
  Stencil stencil;
  std::optional<simulate::MeshHalo> mesh = {};
};

/// What --mesh says, as plans take it.
plan::Problem mesh_problem(const SimulateWords& words, const Machine& machine) {
  const Mesh open = read_option("--mesh", words.mesh, Mesh::parse);
  const Mesh mesh(open.extents(), words.periodic.periodicity(open.dimensions()));
  require(words.fields >= 1, "--fields ", words.fields, ": it takes at least 1");
  plan::Problem problem{mesh, words.stencil.stencil(mesh.dimensions()), machine};
  problem.halo = halo_widths(words.halo, mesh.dimensions());
  problem.fields = words.fields;
  return plan::ready(problem);
}

/// The grid of --grid with its weights, or what is best for --mesh with its halo.
SimulatedFields exchanged_of(const SimulateWords& words, const Machine& machine) {
  if (!words.grid.empty()) {
    const Grid open = read_option("--grid", words.grid, Grid::parse);
    return {Grid(open.extents(), words.periodic.periodicity(open.dimensions())),
            words.stencil.stencil(open.dimensions())};
  }
  const plan::Problem problem = mesh_problem(words, machine);
  const Grid grid = plan::choose_grid({problem.mesh, problem.stencil, machine, problem.halo}).grid;
  return {grid, problem.stencil, simulate::MeshHalo{problem.mesh, problem.halo, problem.fields}};
}

Counts sizes_of(const std::string& text, bool of_points) {
  if (text.empty()) return of_points ? Counts{8} : Counts{64, 1 << 10, 8 << 10, 64 << 10};
  return Scanner("list of sizes", text, "64,1KiB,64KiB").whole_list(scan_bytes);
}

/// All that fit unless some are named.
std::vector<std::string> schedules_of(const std::string& text, const simulate::Job& job) {
  if (text.empty()) return job.fitting_schedules();
  return read_option("--schedule", text, [](const std::string& list) {
    std::vector<std::string> names = split(list);
    for (const std::string& name : names) plan::require_schedule_name(name);
    return names;
  });
}

bool shared_of(const std::string& text) {
  require(text == "on" || text == "off", "--shared ", text, ": it is on or off");
  return text == "on";
}

/// On a terminal, what is going on and how much of it is done.
class RunsBar {
 public:
  explicit RunsBar(std::size_t runs) : runs_(runs), shown_(isatty(STDERR_FILENO) != 0) {}
  RunsBar(const RunsBar&) = delete;
  RunsBar& operator=(const RunsBar&) = delete;
  ~RunsBar() {
    if (shown_) clear_bar();
  }

  void next_run() { ++runs_done_; }
  void show(const std::string& doing, int percent) const {
    if (!shown_) return;
    const double runs = to_double(runs_done_) + to_double(percent) / 100;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    draw_bar(doing, runs / to_double(runs_), passed.count());
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t runs_, runs_done_ = 0;
  bool shown_;
};

std::vector<simulate::Result> results_of(const SimulatedMachine& machine, const simulate::Job& job,
                                         const std::string& doing, RunsBar& bar) {
  std::vector<simulate::Result> results;
  run_simulated(
      job_words(machine.text, job), [&](const simulate::Result& result) { results.push_back(result); },
      [&](int percent) { bar.show(doing, percent); });
  const std::size_t expected = job.schedules.size() * job.bytes.size();
  if (results.size() != expected)
    fail(Fault::internal, "the simulated program wrote ", results.size(), " results of ", expected);
  bar.next_run();
  return results;
}

std::vector<SimulatedPlace> simulate_all(const SimulatedMachine& machine, simulate::Job job,
                                         const std::vector<std::string>& places) {
  std::vector<SimulatedPlace> all;
  RunsBar bar(places.size());
  for (const std::string& place : places) {
    job.placement = place;
    all.push_back({place, results_of(machine, job, place, bar)});
  }
  return all;
}

template <class Report>
Answer answer_with_picture(const Report& report, const std::string& svg) {
  if (!svg.empty()) {
    std::ofstream file(svg);
    file << report.picture();
    if (!file.flush()) throw Error(Fault::internal, concat("cannot write --svg ", svg));
  }
  return report.answer();
}

/// What the plan runs, beside the default.
Answer answer_plan(const SimulateWords& words, const SimulatedMachine& machine, const Machine& nodes,
                   const Counts& sizes) {
  plan::Problem problem = mesh_problem(words, nodes);
  const bool shared = shared_of(words.shared);
  PlannedReport report(machine.name, shared);
  std::vector<PlannedRun> runs;
  for (const Count size : sizes) {
    problem.value_bytes = size;
    const PlannedRuns both = planned_runs(machine.cluster, problem, shared, !words.unchecked);
    runs.insert(runs.end(), both.runs.begin(), both.runs.end());
    report.add_no_default(both.why_no_default);
  }
  RunsBar bar(runs.size());
  for (const PlannedRun& run : runs) report.add(run, results_of(machine, run.job, run.what, bar).front());
  return answer_with_picture(report, words.svg);
}

/// Placements and schedules beside each other.
Answer answer_rows(const SimulateWords& words, const SimulatedMachine& machine, const Machine& nodes,
                   const Counts& sizes) {
  SimulatedFields what = exchanged_of(words, nodes);
  const std::vector<std::string> places = split(words.places.empty() ? usual_places : words.places);
  for (const std::string& place : places) (void)read_option("--place", place, simulate::PlaceName::parse);
  simulate::Job job{
      machine.cluster,  nodes,     std::move(what.grid),   std::move(what.stencil), places.front(), {}, sizes,
      !words.unchecked, what.mesh, shared_of(words.shared)};
  job.schedules = schedules_of(words.schedules, job);
  job.check();
  return answer_with_picture(SimulationReport(machine.name, job, simulate_all(machine, job, places)),
                             words.svg);
}

Answer answer_simulate(const SimulateWords& words) {
  if (words.list) return list_machines();
  require(!words.machine.empty(), "--machine is missing; --machines lists those there are");
  const SimulatedMachine machine = simulated_machine(words.machine);
  const Machine nodes = nodes_of(words, machine.cluster);
  if (!words.trace.empty()) return simulate_trace(words.trace, machine, nodes);
  require(words.grid.empty() != words.mesh.empty(),
          "one of --grid, --mesh and --trace says what is exchanged");
  const Counts sizes = read_option(
      "--bytes", words.bytes, [&](const std::string& text) { return sizes_of(text, !words.mesh.empty()); });
  const bool planned = !words.mesh.empty() && words.places.empty() && words.schedules.empty();
  return (planned ? answer_plan : answer_rows)(words, machine, nodes, sizes);
}

}  // namespace

Action declare_simulate(Options& options) {
  auto words = std::make_shared<SimulateWords>();
  options.add_flag("--machines", words->list,
                   "list the machines there are, and where their figures come from");
  options.add_option("--machine", words->machine, "one of --machines, or a file that describes one");
  options.add_option(
      "--nodes", words->nodes,
      "50 (full nodes), 50x24 (24 processes on each) or 40x48,20x24; the first of the machine");
  const Option grid = options.add_option("--grid", words->grid, "process grid, such as 50x48");
  const Option mesh =
      options
          .add_option("--mesh", words->mesh,
                      "global mesh instead of --grid: grid and blocks are those of halocline plan; without "
                      "--place and --schedule the plan is simulated, beside the default")
          .excludes(grid);
  options.add_option("--halo", words->halo, "halo widths, such as 1x1x2, or one for all (default: 1)")
      .needs(mesh);
  options.add_option("--fields", words->fields, "arrays that are exchanged together")
      .needs(mesh)
      .capture_default_str();
  words->periodic.declare(options);
  words->stencil.declare(options);
  options.add_option(
      "--bytes", words->bytes,
      "sizes of the block to each neighbour, times its weight (default: 64,1KiB,8KiB,64KiB); with "
      "--mesh of a point of one field (default: 8)");
  Option trace = options.add_option(
      "--trace", words->trace,
      "the messages in this file, which halocline trace recorded, instead of --grid: for the ranks in "
      "their order and in the suggested one");
  std::string places;
  for (const place::Algorithm& algorithm : place::algorithms()) places += concat(algorithm.name, ", ");
  options.add_option("--place", words->places,
                     "placements to compare: " + places +
                         "best; best+links also lets nodes change places on the network, as --mapping of "
                         "place (default: blocked,best)");
  options.add_option("--schedule", words->schedules,
                     "schedules to compare: direct, node, mixed, torus, torus-direct, basis (default: all "
                     "that fit)");
  options
      .add_option(
          "--shared", words->shared,
          "on: processes of a node share memory; off: they send messages, and none sends for its node")
      .capture_default_str();
  options.add_flag("--unchecked", words->unchecked,
                   "processes share one block: less memory and time, and nobody looks at what arrives");
  options.add_option("--svg", words->svg, "write a picture of the times over the sizes to this file");
  for (const char* const other : {"--grid", "--mesh", "--periodic", "--stencil", "--bytes", "--place",
                                  "--schedule", "--shared", "--unchecked", "--svg"})
    trace.excludes(options.find(other));
  return [words] { return answer_simulate(*words); };
}

}  // namespace halocline::tools
