// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulate/simulated_plan.hpp"

#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "plan/prediction/prediction.hpp"
#include "plan/prices/price_text.hpp"
#include "tools/bench/measuring/line_chart.hpp"
#include "tools/common/table.hpp"
#include "tools/simulate/simulate_report.hpp"

#include <fmt/format.h>

#include <utility>

namespace halocline::tools {
namespace {

PlannedRun run_of(const char* what, const simulate::Cluster& cluster, const plan::Problem& problem,
                  const plan::Plan& planned, bool shared, bool checked) {
  const Count point = problem.fields * problem.value_bytes;
  // Nothing is forwarded: J counts what has to go from node to node.
  const plan::Prediction sent =
      plan::predict(plan::Placed(problem, planned.placement), ScheduleChoice::direct, {});
  PlannedRun run{what,
                 {cluster,
                  problem.machine,
                  planned.grid,
                  problem.stencil,
                  planned.placed_by,
                  {planned.schedule},
                  {problem.value_bytes},
                  checked,
                  simulate::MeshHalo{problem.mesh, problem.halo, problem.fields},
                  shared},
                 planned.prediction.seconds.total(),
                 sent.total.network.bytes / point,
                 sent.largest_node_bytes / point};
  run.job.check();
  return run;
}

/// The fastest without memory that processes share, on the grid of the plan.
ScheduleChoice chosen_without_memory(const plan::Problem& problem, const plan::Plan& planned,
                                     const LevelCosts& prices) {
  const plan::Placed placed(problem, planned.placement);
  plan::ScheduleMeans means = placed.means();
  means.shared = false;
  return plan::choose_schedule(placed.demand(), prices, means);
}

plan::Plan plan_of(const plan::Problem& problem, const LevelCosts& prices, bool shared) {
  plan::Choices choices;
  choices.prices = prices;
  if (shared) return plan::make_plan(problem, choices);
  choices.schedule = ScheduleChoice::direct;
  const plan::Plan direct = plan::make_plan(problem, choices);
  choices.schedule = chosen_without_memory(problem, direct, prices);
  return choices.schedule == ScheduleChoice::direct ? direct : plan::make_plan(problem, choices);
}

/// 1 where neither takes any time.
double ratio_of(double seconds, double others) { return seconds == others ? 1 : seconds / others; }

}  // namespace

PlannedRuns planned_runs(const simulate::Cluster& cluster, const plan::Problem& problem, bool shared,
                         bool checked) {
  const plan::Problem complete = plan::ready(problem);
  const LevelCosts prices = cluster.prices(shared, complete.machine.nodes());
  PlannedRuns both;
  const plan::Plan planned = plan_of(complete, prices, shared);
  both.runs.push_back(run_of("plan", cluster, complete, planned, shared, checked));
  try {
    const plan::Plan usual = plan::default_plan(complete, prices);
    both.runs.push_back(run_of("default", cluster, complete, usual, shared, checked));
  } catch (const Error& error) {
    if (error.fault() != Fault::invalid_dimensions) throw;
    both.why_no_default = error.what();
  }
  return both;
}

std::string PlannedReport::title() const {
  const simulate::Job& job = rows_.front().run.job;
  return fmt::format("{} processes on {} nodes of {}, mesh {}, stencil {}, halo {}, {} field{}",
                     job.grid.size(), job.machine.nodes(), machine_, job.mesh->mesh.to_text(),
                     job.stencil.to_text(), join(job.mesh->halo, "x"), job.mesh->fields,
                     job.mesh->fields == 1 ? "" : "s");
}

void PlannedReport::add_verdicts(Answer& answer) const {
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    const Row &plan = rows_[i - 1], &usual = rows_[i];
    if (usual.run.what != "default") continue;
    const double simulated = ratio_of(usual.result.seconds, plan.result.seconds);
    const double predicted = ratio_of(usual.run.predicted_seconds, plan.run.predicted_seconds);
    answer.text +=
        fmt::format("{} byte{} a point: the plan is {}, predicted {:.2f}\n", plan.result.bytes,
                    plan.result.bytes == 1 ? "" : "s",
                    plan::as_fast_as(plan.result.seconds, usual.result.seconds, "the default"), predicted);
    answer.json["speedups"].push_back(
        {{"bytes", plan.result.bytes}, {"simulated", simulated}, {"predicted", predicted}});
  }
}

Answer PlannedReport::answer() const {
  const simulate::Job& job = rows_.front().run.job;
  Table table({Column::hidden("what"), Column::right("a point", 9, "bytes"), Column::left("", 8, "", "  "),
               Column::left("grid", 13, "grid"), Column::left("placement", 18, "placement"),
               Column::left("schedule", 14, "schedule"), Column::right("simulated [us]", 14, "seconds"),
               Column::right("predicted [us]", 14, "predicted_seconds"),
               Column::right("sim/pred", 8, "ratio"), Column::right("J_sum", 9, "j_sum"),
               Column::right("J_max", 9, "j_max"), Column::hidden("checked")});
  bool unchecked = false;
  for (const auto& [run, result] : rows_) {
    table.add({run.what,
               {run.what == "plan" ? std::to_string(result.bytes) : "", result.bytes},
               run.what,
               {join(run.job.grid.extents(), "x"), run.job.grid.to_text()},
               run.job.placement,
               {result.schedule + (result.checked ? "" : " *"), result.schedule},
               decimal(result.seconds, 2, 1e6),
               decimal(run.predicted_seconds, 2, 1e6),
               decimal(ratio_of(result.seconds, run.predicted_seconds), 2),
               run.j_sum,
               run.j_max,
               result.checked});
    unchecked = unchecked || !result.checked;
  }
  Answer answer;
  answer.text = title() + "\n" + table.to_text();
  answer.json = {{"machine", machine_},
                 {"network", job.cluster.network.to_text()},
                 {"nodes", job.machine.nodes()},
                 {"ranks", job.grid.size()},
                 {"mesh", job.mesh->mesh.to_text()},
                 {"stencil", job.stencil.to_text()},
                 {"halo", job.mesh->halo},
                 {"fields", job.mesh->fields},
                 {"shared_memory", shared_},
                 {"results", table.to_json()},
                 {"speedups", nlohmann::ordered_json::array()}};
  if (unchecked) answer.text += "* processes share one block: contents not checked\n";
  add_verdicts(answer);
  if (!why_no_default_.empty()) {
    answer.text += fmt::format("There is no default to compare with: {}.\n", why_no_default_);
    answer.json["no_default"] = why_no_default_;
  }
  return answer;
}

std::string PlannedReport::picture() const {
  LineChart chart(title(), "bytes of a point", "simulated time of an exchange [us]");
  for (const auto& [run, result] : rows_) chart.add(run.what, to_double(result.bytes), 1e6 * result.seconds);
  return chart.svg();
}

}  // namespace halocline::tools
