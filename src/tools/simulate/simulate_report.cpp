// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulate/simulate_report.hpp"

#include "base/join.hpp"
#include "base/numbers.hpp"
#include "plan/options/option_names.hpp"
#include "plan/prediction/prediction.hpp"
#include "tools/bench/measuring/line_chart.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace halocline::tools {
namespace {

/// By the blocks that were simulated, of the processes where they were. The model does not see where nodes
/// are on the network.
plan::Prediction predicted(const simulate::Job& job, const Placement& placement, const std::string& schedule,
                           Count bytes) {
  const plan::Problem problem = plan::ready(job.problem(bytes));
  return plan::predict(plan::Placed(problem, placement), plan::schedule_named(schedule), job.prices());
}

std::string job_text(const simulate::Job& job) {
  std::string text = fmt::format("grid {}, stencil {}", job.grid.to_text(), job.stencil.to_text());
  if (job.mesh)
    text += fmt::format(", mesh {}, halo {}, {} field{}", join(job.mesh->mesh.extents(), "x"),
                        join(job.mesh->halo, "x"), job.mesh->fields, job.mesh->fields == 1 ? "" : "s");
  return text;
}

}  // namespace

SimulationReport::SimulationReport(std::string machine, const simulate::Job& job,
                                   const std::vector<SimulatedPlace>& places)
    : machine_(std::move(machine)), job_(job) {
  std::map<Count, double> first;
  for (const SimulatedPlace& place : places) {
    job_.placement = place.name;
    const Placement placement = job_.placed().placement;
    // With points of one byte: weights, or points times weights.
    const plan::Prediction sent = predicted(job_, placement, "direct", 1);
    const Count fields = job.mesh ? job.mesh->fields : 1;
    for (const simulate::Result& result : place.results) {
      const double reference = first.emplace(result.bytes, result.seconds).first->second;
      const Counts blocks = simulate::BlockTable(job_, result.bytes).largest();
      const auto [smallest, largest] = std::minmax_element(blocks.begin(), blocks.end());
      rows_.push_back({place.name, result, reference / result.seconds,
                       predicted(job_, placement, result.schedule, result.bytes).seconds.total(),
                       sent.total.network.bytes / fields, sent.largest_node_bytes / fields, *smallest,
                       *largest});
    }
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.result.bytes < b.result.bytes; });
}

Answer SimulationReport::answer() const {
  Table table({Column::right(job_.mesh ? "a point" : "bytes", 9, "bytes"),
               Column::left("place", 15, "place", "  "), Column::left("schedule", 14, "schedule"),
               Column::right("time [us]", 11, "seconds"), Column::right("speedup", 7, "ratio"),
               Column::right("predicted [us]", 14, "predicted_seconds"), Column::right("J_sum", 9, "j_sum"),
               Column::right("J_max", 7, "j_max"), Column::hidden("smallest_block_bytes"),
               Column::hidden("largest_block_bytes"), Column::hidden("checked")});
  Count bytes = 0;
  bool unchecked = false;
  for (const Row& r : rows_) {
    table.add({{r.result.bytes == bytes ? "" : std::to_string(r.result.bytes), r.result.bytes},
               r.place,
               {r.result.schedule + (r.result.checked ? "" : " *"), r.result.schedule},
               decimal(r.result.seconds, 2, 1e6),
               decimal(r.ratio, 2),
               decimal(r.predicted_seconds, 2, 1e6),
               r.j_sum,
               r.j_max,
               r.smallest_block,
               r.largest_block,
               r.result.checked});
    bytes = r.result.bytes;
    unchecked = unchecked || !r.result.checked;
  }
  Answer answer;
  answer.text = fmt::format("{} processes on {} nodes of {}, {}\n{}", job_.grid.size(), job_.machine.nodes(),
                            machine_, job_text(job_), table.to_text());
  answer.json = {{"machine", machine_},           {"network", job_.cluster.network.to_text()},
                 {"nodes", job_.machine.nodes()}, {"ranks", job_.grid.size()},
                 {"grid", job_.grid.to_text()},   {"stencil", job_.stencil.to_text()},
                 {"shared_memory", job_.shared}};
  if (job_.mesh)
    answer.json.update(
        {{"mesh", job_.mesh->mesh.to_text()}, {"halo", job_.mesh->halo}, {"fields", job_.mesh->fields}});
  answer.json["results"] = table.to_json();
  if (unchecked) answer.text += "* processes share one block: contents not checked\n";
  return answer;
}

std::string SimulationReport::picture() const {
  LineChart chart(fmt::format("{} processes on {}, {}", job_.grid.size(), machine_, job_text(job_)),
                  job_.mesh ? "bytes of a point" : "bytes to each neighbour",
                  "simulated time of an exchange [us]");
  for (const Row& row : rows_)
    chart.add(row.place + ", " + row.result.schedule, to_double(row.result.bytes), 1e6 * row.result.seconds);
  return chart.svg();
}

}  // namespace halocline::tools
