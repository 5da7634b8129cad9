// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/plan_page.hpp"

#include "base/integers.hpp"
#include "plan/prediction/rated_placements.hpp"
#include "tools/plan/cells_shown.hpp"
#include "tools/plan/filled_page.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace halocline::tools {
namespace {

using nlohmann::ordered_json;

constexpr Count most_cells = Count{1} << 17;
constexpr Count most_node_groups = 512;

/// What the nodes of one plan send each other; consecutive nodes are taken together where there are too many.
ordered_json pairs_json(const plan::Problem& problem, const plan::Plan& plan) {
  const Count together = divide_up(problem.machine.nodes(), most_node_groups);
  std::map<std::pair<Count, Count>, Traffic> groups;
  for (const plan::NodePair& pair : plan::node_pairs(problem, plan))
    groups[{pair.from / together, pair.to / together}] += pair.traffic;
  auto pairs = ordered_json::array();
  for (const auto& [pair, traffic] : groups)
    for (const Count number : {pair.first, pair.second, traffic.messages, traffic.bytes})
      pairs.push_back(number);
  return {{"nodes_together", together},
          {"groups", divide_up(problem.machine.nodes(), together)},
          {"pairs", std::move(pairs)}};
}

ordered_json cells_json(const plan::Problem& problem, const plan::Plan& plan) {
  const CellsShown cells = cells_shown(plan.placement, problem.machine, most_cells);
  auto runs = ordered_json::array();
  for (std::size_t first = 0, last = 0; first < cells.nodes.size(); first = last) {
    while (last < cells.nodes.size() && cells.nodes[last] == cells.nodes[first]) ++last;
    runs.push_back(cells.nodes[first]);
    runs.push_back(last - first);
  }
  return {{"extents", cells.extents}, {"block", cells.block}, {"runs", std::move(runs)}};
}

ordered_json picture_json(const plan::Problem& problem, const plan::Plan& plan) {
  return {{"cells", cells_json(problem, plan)}, {"traffic", pairs_json(problem, plan)}};
}

ordered_json placements_json(const std::vector<plan::RatedPlacement>& rated) {
  auto list = ordered_json::array();
  for (const plan::RatedPlacement& placement : rated)
    list.push_back({{"placement", placement.name},
                    {"j_sum", placement.prediction.total.network.bytes},
                    {"j_max", placement.prediction.largest_node_bytes},
                    {"seconds", placement.prediction.seconds.total()}});
  return list;
}

}  // namespace

std::string plan_page(const plan::Explanation& both) {
  const plan::Problem& problem = both.problem;
  ordered_json page = ordered_json::parse(both.to_json());
  page["pictures"] = {{"plan", picture_json(problem, both.plan)},
                      {"default", both.usual ? picture_json(problem, *both.usual) : ordered_json()}};
  page["placements"] = placements_json(plan::rate_placements(problem, both.plan, both.choices.prices));
  return filled_page(std::move(page));
}

}  // namespace halocline::tools
