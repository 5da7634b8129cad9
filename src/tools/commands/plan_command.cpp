// SPDX-License-Identifier: BSD-3-Clause
// halocline plan: grid, placement, schedule and packing for a mesh on a machine, explained beside the
// default.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/text_file.hpp"
#include "network/mapping_problem.hpp"
#include "place/algorithms.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/placement_choice.hpp"
#include "plan/transport/schedule_choice.hpp"
#include "tools/common/command.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/plan/filled_page.hpp"
#include "tools/plan/job_machine.hpp"
#include "tools/plan/place_picture.hpp"
#include "tools/plan/plan_page.hpp"
#include "tools/plan/price_words.hpp"
#include "tools/plan/rank_file_words.hpp"
#include "tools/traced/traced_place.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace halocline::tools {
namespace {

struct PlanWords {
  std::string from;
  std::string trace;
  std::string order;
  std::string mesh;
  PeriodicWords periodic;
  StencilWords stencil;
  JobMachineWords machine;
  PriceWords prices;
  NetworkWords network;
  std::string mapping = plan::name_of(plan::NetworkOptions{}.variant);
  std::string halo;
  std::string fixed;
  Count fields = 1;
  Count bytes = 8;
  std::string placement{plan::best_placement};
  std::string schedule = plan::name_of(ScheduleChoice::automatic);
  std::string svg;
  std::string html;
  RankFileWords rank_file;
};

plan::Problem problem_of(const PlanWords& words, const JobMachine& job) {
  const Mesh open = read_option("--mesh", words.mesh, Mesh::parse);
  const Mesh mesh(open.extents(), words.periodic.periodicity(open.dimensions()));
  plan::Problem problem{mesh, words.stencil.stencil(mesh.dimensions()), job.machine};
  problem.halo = halo_widths(words.halo, mesh.dimensions());
  problem.fixed = fixed_extents(words.fixed, problem.mesh.dimensions());
  require(words.fields >= 1, "--fields ", words.fields, ": it takes at least 1");
  require(words.bytes >= 1, "--bytes ", words.bytes, ": a point has at least 1");
  problem.fields = words.fields;
  problem.value_bytes = words.bytes;
  if (words.network.given()) problem.allocation = words.network.of_job(job.hosts, job.machine.nodes());
  return problem;
}

plan::Choices choices_of(const PlanWords& words, const JobMachine& job) {
  plan::Choices choices;
  choices.grid.algorithm = read_option("--placement", words.placement, plan::algorithm_named);
  choices.schedule = read_option("--schedule", words.schedule, plan::schedule_named);
  choices.prices = words.prices.prices(job.machine, job.prices.value_or(LevelCosts{}));
  choices.network.variant = read_option("--mapping", words.mapping, plan::mapping_named);
  return choices;
}

std::string write_ranks(const PlanWords& words, const plan::Explanation& both) {
  RankFileWords rank_file = words.rank_file;
  // A plan in a file may be of another job.
  if (words.from.empty() && both.source.name == "slurm") rank_file.take_slurms_cores();
  const Machine& machine = both.problem.machine;
  std::vector<std::string> hosts = both.source.hosts;
  for (auto node = count_of(hosts); node < machine.nodes(); ++node) hosts.push_back(concat("n", node));
  return rank_file.write(both.plan.placement, machine, hosts, both.plan.network.has_value());
}

/// The plan that a file has.
plan::Explanation read_plan(const std::string& path) {
  constexpr std::size_t most_bytes = std::size_t{1} << 28;
  return read_option("--from", path, [&](const std::string&) {
    const std::optional<std::string> text = read_text_file(path, most_bytes);
    require(text.has_value(), "there is no such file");
    return plan::Explanation::parse(*text);
  });
}

plan::Explanation make_plan(const PlanWords& words) {
  require(!words.mesh.empty(),
          "--mesh is missing, such as --mesh 1000x1100x950; or --trace, messages that were recorded; or "
          "--from, a "
          "plan that was made");
  const JobMachine job = words.machine.job_machine();
  const plan::Choices choices = choices_of(words, job);
  return plan::explain(problem_of(words, job), choices, {job.source, job.told_by, job.hosts});
}

/// The order of ranks for a program that was traced, beside the default.
Answer answer_traced_plan(const PlanWords& words) {
  std::optional<TracedJob> described;
  if (words.machine.describe_nodes()) {
    JobMachine job = words.machine.job_machine();
    described = TracedJob{std::move(job.machine), std::move(job.hosts), job.source, job.told_by};
  }
  return answer_traced_place({words.trace, words.order, words.svg, std::move(described), words.network,
                              words.mapping, "", words.rank_file, place::BestOptions{}.seconds, &words.prices,
                              words.html});
}

Answer answer_plan(const PlanWords& words) {
  if (!words.trace.empty()) return answer_traced_plan(words);
  require(words.order.empty(), "--order ", words.order, ": an order is made of a --trace");
  // Before the work, which may take a second.
  if (!words.html.empty()) require_page("--html", words.html);
  if (words.rank_file.given()) words.rank_file.check();
  const ProgressBar progress("plan");
  const plan::Explanation both = words.from.empty() ? make_plan(words) : read_plan(words.from);
  Answer answer{both.to_text(), nlohmann::ordered_json::parse(both.to_json())};
  if (!words.svg.empty())
    write_file("--svg", words.svg, [&](std::ostream& file) {
      file << place_picture(place::Problem(both.plan.grid, both.problem.stencil, both.problem.machine),
                            both.plan.placement, both.plan.placed_by);
    });
  if (!words.html.empty())
    write_file("--html", words.html, [&](std::ostream& file) { file << plan_page(both); });
  if (words.rank_file.given()) answer.text += write_ranks(words, both);
  return answer;
}

}  // namespace

Action declare_plan(Options& options) {
  auto words = std::make_shared<PlanWords>();
  options.add_option("--mesh", words->mesh, "global mesh, such as 1000x1100x950");
  words->periodic.declare(options);
  words->stencil.declare(options);
  words->machine.declare(options);
  options.add_option("--halo", words->halo, "halo widths, such as 1x1x2, or one for all (default: 1)");
  options.add_option("--fields", words->fields, "arrays that are exchanged together").capture_default_str();
  options.add_option("--bytes", words->bytes, "bytes of a point of one field").capture_default_str();
  options.add_option("--fixed", words->fixed, "extents of the grid that stay, 0 is free: 0x4x0");
  std::string names;
  for (const place::Algorithm& algorithm : place::algorithms()) names += concat(algorithm.name, ", ");
  options.add_option("--placement", words->placement, names + "or best (a portfolio)").capture_default_str();
  options
      .add_option("--schedule", words->schedule,
                  "direct, node, mixed, torus, torus-direct, basis, or auto (the fastest)")
      .capture_default_str();
  words->prices.declare(options);
  const Option network = words->network.declare(options);
  declare_mapping(options, words->mapping).needs(network);
  Option trace = options.add_option("--trace", words->trace,
                                    "instead of a mesh the messages in this file, which halocline trace "
                                    "recorded: times for the ranks in their order and in the suggested one");
  options.add_option("--order", words->order,
                     "with --trace: write which rank each process shall have, node after node, to this file");
  Option from = options.add_option(
      "--from", words->from,
      "show the plan in this file, written by --json or by a program with HALOCLINE_PLAN=FILE.json");
  for (const char* const other :
       {"--mesh", "--periodic", "--stencil", "--nodes", "--levels", "--hostfile", "--ranks", "--hosts",
        "--halo", "--fields", "--bytes", "--fixed", "--placement", "--schedule", "--alpha-beta", "--network",
        "--allocation", "--mapping"})
    from.excludes(options.find(other));
  from.excludes(trace);
  options.add_option("--svg", words->svg,
                     "write a picture of the grid coloured by node to this file; with --trace of who sends "
                     "to whom, before and after");
  options.add_option(
      "--html", words->html,
      "write a page with the plan, or the order, beside the default to this file, to be opened in a browser");
  for (const char* const other : {"--mesh", "--periodic", "--stencil", "--halo", "--fields", "--bytes",
                                  "--fixed", "--placement", "--schedule"})
    trace.excludes(options.find(other));
  words->rank_file.declare(options);
  return [words] { return answer_plan(*words); };
}

}  // namespace halocline::tools
