#include "tools/simulate_report.hpp"

#include "halocline/place/cost.hpp"
#include "halocline/plan/plan.hpp"
#include "tools/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace halocline::tools {
namespace {

constexpr double gigabyte = 1e9;

/// What all links of a node carry together, in GB/s.
struct NodeBandwidth {
  double operator()(const Network::FatTree& tree) const {
    const Network::FatTree::Tier& last = tree.tiers.back();
    return static_cast<double>(last.parents * last.links) * last.bandwidth;
  }
  double operator()(const Network::Cartesian& box) const {
    double sum = 0;
    for (std::size_t d = 0; d < box.extents.size(); ++d)
      if (box.extents[d] > 1) sum += 2 * box.bandwidth(d, 0);
    return sum / static_cast<double>(box.hosts);
  }
  double operator()(const Network::Dragonfly& dragonfly) const { return dragonfly.terminal_bandwidth; }
};

/// The linear model knows what a message costs its processes, and the way out of a node.
LevelCosts prices_of(const simulate::Cluster& cluster) {
  const double message = cluster.send_overhead_seconds + cluster.receive_overhead_seconds;
  const double bandwidth = std::visit(NodeBandwidth{}, cluster.network.topology()) * gigabyte;
  return {{message, 1 / cluster.node_bandwidth}, {message, 1 / bandwidth}};
}

/// One point a process, of as many bytes as a block: all blocks are alike then, whatever their direction.
plan::Problem uniform_blocks(const simulate::Job& job, Count bytes) {
  plan::Problem problem{Mesh(job.grid.extents(), job.grid.periodicity()), job.stencil, job.machine};
  problem.fixed = job.grid.extents();
  problem.value_bytes = bytes;
  return problem;
}

/// The model does not see where nodes are on the network.
double predicted(const simulate::Job& job, const std::string& algorithm, const simulate::Result& result) {
  plan::Choices choices;
  choices.grid.algorithm = algorithm;
  choices.schedule = result.schedule;
  choices.prices = prices_of(job.cluster);
  return plan::make_plan(uniform_blocks(job, result.bytes), choices).prediction.seconds.total();
}

std::string micro(double seconds) { return fmt::format("{:.2f}", 1e6 * seconds); }

}  // namespace

SimulationReport::SimulationReport(std::string machine, const simulate::Job& job,
                                   const std::vector<SimulatedPlace>& places)
    : machine_(std::move(machine)), job_(job) {
  std::map<Count, double> first;
  for (const SimulatedPlace& place : places) {
    job_.placement = place.name;
    const plan::Candidate placed = job_.placed();
    const place::LevelCost cost =
        place::node_cost(place::Problem(job.grid, job.stencil, job.machine), placed.placement);
    for (const simulate::Result& result : place.results) {
      const double reference = first.emplace(result.bytes, result.seconds).first->second;
      rows_.push_back({place.name, result, reference / result.seconds,
                       predicted(job_, placed.algorithm, result), cost.total.bytes, cost.largest.bytes});
    }
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.result.bytes < b.result.bytes; });
}

Answer SimulationReport::answer() const {
  Answer answer;
  const std::string what =
      fmt::format("{} processes on {} nodes of {}, grid {}, stencil {}", job_.grid.size(),
                  job_.machine.nodes(), machine_, job_.grid.to_text(), job_.stencil.to_text());
  constexpr const char* row = "{:>9}  {:<15} {:<14} {:>11} {:>7} {:>14} {:>9} {:>7}\n";
  answer.text = what + "\n" +
                fmt::format(row, "bytes", "place", "schedule", "time [us]", "ratio", "predicted [us]",
                            "J_sum", "J_max");
  answer.json = {{"machine", machine_},           {"network", job_.cluster.network.to_text()},
                 {"nodes", job_.machine.nodes()}, {"ranks", job_.grid.size()},
                 {"grid", job_.grid.to_text()},   {"stencil", job_.stencil.to_text()},
                 {"shared_memory", false},        {"results", nlohmann::ordered_json::array()}};
  Count bytes = 0;
  bool unchecked = false;
  for (const Row& r : rows_) {
    answer.text += fmt::format(row, r.result.bytes == bytes ? "" : std::to_string(r.result.bytes), r.place,
                               r.result.schedule + (r.result.checked ? "" : " *"), micro(r.result.seconds),
                               fmt::format("{:.2f}", r.ratio), micro(r.predicted_seconds), r.j_sum, r.j_max);
    answer.json["results"].push_back({{"bytes", r.result.bytes},
                                      {"place", r.place},
                                      {"schedule", r.result.schedule},
                                      {"seconds", r.result.seconds},
                                      {"ratio", r.ratio},
                                      {"predicted_seconds", r.predicted_seconds},
                                      {"j_sum", r.j_sum},
                                      {"j_max", r.j_max},
                                      {"checked", r.result.checked}});
    bytes = r.result.bytes;
    unchecked = unchecked || !r.result.checked;
  }
  if (unchecked) answer.text += "* processes share one block: contents not checked\n";
  return answer;
}

std::string SimulationReport::picture() const {
  LineChart chart(fmt::format("{} processes on {}, grid {}, stencil {}", job_.grid.size(), machine_,
                              job_.grid.to_text(), job_.stencil.to_text()),
                  "bytes to each neighbour", "simulated time of an exchange [us]");
  for (const Row& row : rows_)
    chart.add(row.place + ", " + row.result.schedule, static_cast<double>(row.result.bytes),
              1e6 * row.result.seconds);
  return chart.svg();
}

}  // namespace halocline::tools
