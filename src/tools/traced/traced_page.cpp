// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/traced_page.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/describe/traffic.hpp"
#include "tools/plan/filled_page.hpp"
#include "tools/traced/matrix_picture.hpp"

#include <algorithm>
#include <utility>

namespace halocline::tools {
namespace {

using nlohmann::ordered_json;

constexpr Count most_groups_shown = 512;
constexpr Count most_pairs_shown = Count{1} << 14;
constexpr Count most_ranks_in_page = Count{1} << 17;

/// What groups of consecutive nodes send each other, row by row; what stays on a node is left out.
struct GroupTraffic {
  Count groups;
  std::vector<Traffic> pairs;

  [[nodiscard]] Count used() const {
    return std::count_if(pairs.begin(), pairs.end(), [](const Traffic& pair) { return pair.bytes > 0; });
  }
};

GroupTraffic group_traffic(const plan::MessageMatrix& matrix, const place::Order& order, Count together) {
  const std::vector<Count> node_of = plan::nodes_of_ranks(order);
  GroupTraffic traffic{divide_up(order.nodes().size(), together), {}};
  traffic.pairs.resize(to_size(traffic.groups * traffic.groups));
  for (std::size_t source = 0; source < node_of.size(); ++source) {
    const auto targets = matrix.targets_of(source);
    const auto bytes = matrix.bytes_of(source), messages = matrix.messages_of(source);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Count from = node_of[source], to = node_of[targets[i]];
      if (from != to)
        traffic.pairs[to_size(from / together * traffic.groups + to / together)] += {messages[i], bytes[i]};
    }
  }
  return traffic;
}

ordered_json traffic_json(const GroupTraffic& traffic, Count together) {
  auto pairs = ordered_json::array();
  for (Count from = 0; from < traffic.groups; ++from)
    for (Count to = 0; to < traffic.groups; ++to) {
      const Traffic& pair = traffic.pairs[to_size(from * traffic.groups + to)];
      if (pair.bytes == 0) continue;
      for (const Count number : {from, to, pair.messages, pair.bytes}) pairs.push_back(number);
    }
  return {{"nodes_together", together}, {"groups", traffic.groups}, {"pairs", std::move(pairs)}};
}

/// Of both orders, with as many nodes together as it takes for both.
std::pair<ordered_json, ordered_json> traffics_json(const plan::MessageMatrix& matrix,
                                                    const plan::OrderChoice& choice) {
  for (Count together = divide_up(choice.before.order.nodes().size(), most_groups_shown);; together *= 2) {
    const GroupTraffic before = group_traffic(matrix, choice.before.order, together);
    const GroupTraffic after = group_traffic(matrix, choice.after.order, together);
    if (std::max(before.used(), after.used()) <= most_pairs_shown)
      return {traffic_json(before, together), traffic_json(after, together)};
  }
}

}  // namespace

std::string traced_page(const TracedPage& page) {
  const auto& [answer, matrix, choice, hosts] = page;
  MatrixPanels panels = matrix_panels(matrix, choice);
  auto [before, after] = traffics_json(matrix, choice);
  ordered_json shown = answer.json;
  shown["node_count"] = choice.before.order.nodes().size();
  if (count_of(hosts) <= most_groups_shown && !hosts.empty()) shown["hosts"] = hosts;
  shown["pictures"] = {{"ranks_a_dot", panels.ranks_a_dot},
                       {"default", {{"matrix", std::move(panels.before)}, {"traffic", std::move(before)}}},
                       {"best", nullptr}};
  if (choice.gains())
    shown["pictures"]["best"] = {{"matrix", std::move(panels.after)}, {"traffic", std::move(after)}};
  if (choice.gains() && matrix.ranks() <= most_ranks_in_page) shown["order"] = choice.after.order.to_text();
  return filled_page(std::move(shown));
}

}  // namespace halocline::tools
