// SPDX-License-Identifier: BSD-3-Clause
#include "plan/traced/matrix_cost.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "network/routing/task_messages.hpp"
#include "place/cost/preference.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace halocline::plan {
namespace {

/// As the preference knows it: the busiest is the one that sends or gets most.
place::LevelCost as_level_cost(const MatrixLevelCost& cost) {
  place::LevelCost level;
  level.total.bytes = cost.bytes;
  level.largest.bytes = std::max(cost.busiest_in, cost.busiest_out);
  return level;
}

/// Bytes of the levels inside nodes, outermost first, then what is around the nodes.
Counts other_levels(const MatrixCost& cost) {
  Counts bytes;
  for (std::size_t level = cost.node_level + 1; level < cost.levels.size(); ++level)
    bytes.push_back(cost.levels[level].bytes);
  for (std::size_t level = 0; level < cost.node_level; ++level) bytes.push_back(cost.levels[level].bytes);
  return bytes;
}

}  // namespace

MatrixLevelCost cost_of_nodes(const MessageMatrix& matrix, std::span<const Count> node_of) {
  const Count groups = node_of.empty() ? 0 : 1 + *std::max_element(node_of.begin(), node_of.end());
  Counts in(to_size(groups)), out(to_size(groups));
  MatrixLevelCost cost{"node"};
  matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    if (node_of[source] == node_of[target]) return;
    cost.bytes += bytes;  // the sum of all fits
    out[to_index(node_of[source])] += bytes;
    in[to_index(node_of[target])] += bytes;
  });
  if (groups > 0) {
    cost.busiest_in = *std::max_element(in.begin(), in.end());
    cost.busiest_out = *std::max_element(out.begin(), out.end());
  }
  return cost;
}

MatrixCost matrix_cost(const MessageMatrix& matrix, const Machine& machine,
                       std::span<const Rank> position_of) {
  MatrixCost cost{{}, machine.node_level()};
  std::vector<Count> group_at(position_of.size()), group_of(position_of.size());
  for (std::size_t level = 0; level < machine.levels().size(); ++level) {
    const Runs& sizes = machine.sizes(level);
    std::size_t position = 0;
    Count group = 0;
    for (const auto& [repeats, size] : sizes.runs())
      for (Count i = 0; i < repeats; ++i, ++group)
        for (Count member = 0; member < size; ++member) group_at[position++] = group;
    for (std::size_t rank = 0; rank < group_of.size(); ++rank)
      group_of[rank] = group_at[to_index(position_of[rank])];
    cost.levels.push_back(cost_of_nodes(matrix, group_of));
    cost.levels.back().name = machine.levels()[level].name;
  }
  return cost;
}

network::Score score_on(const MessageMatrix& matrix, const Allocation& allocation,
                        std::span<const Count> node_of, network::Aim aim) {
  std::map<std::pair<Count, Count>, Count> between;
  matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    if (node_of[source] != node_of[target]) between[{node_of[source], node_of[target]}] += bytes;
  });
  std::vector<TaskMessage> messages;
  messages.reserve(between.size());
  for (const auto& [nodes, bytes] : between)
    messages.push_back({nodes.first, nodes.second, to_double(bytes)});
  return network::score_of(TaskMessages(allocation.size(), std::move(messages)), allocation.network(),
                           allocation.nodes(), aim, 0);
}

bool is_better(const MatrixCost& a, const MatrixCost& b) {
  const double link_a = a.on_network ? a.on_network->fullest_link : 0;
  const double link_b = b.on_network ? b.on_network->fullest_link : 0;
  if (link_a != link_b) return link_a < link_b;
  const auto node = [](const MatrixCost& cost) {
    return std::pair(cost.node().bytes, std::max(cost.node().busiest_in, cost.node().busiest_out));
  };
  if (node(a) != node(b))
    return place::preferred(std::array{as_level_cost(b.node()), as_level_cost(a.node())}) == 1;
  const auto hops = [](const MatrixCost& cost) {
    return cost.on_network ? cost.on_network->weighted_hops : 0;
  };
  return std::pair(hops(a), other_levels(a)) < std::pair(hops(b), other_levels(b));
}

}  // namespace halocline::plan
