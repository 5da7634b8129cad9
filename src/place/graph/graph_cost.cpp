// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/graph_cost.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::place {
namespace {

constexpr Count node_price = 1000;
constexpr Count inner_discount = 30;

void check_seats(const MessageGraph& graph, const Machine& machine, std::span<const Rank> seats) {
  require(graph.ranks() == machine.ranks(), "a graph of ", graph.ranks(), " ranks for a machine of ",
          machine.ranks());
  require(count_of(seats) == graph.ranks(), seats.size(), " seats for ", graph.ranks(), " ranks");
  std::vector<char> taken(seats.size(), 0);
  for (const Rank seat : seats) {
    require(seat >= 0 && seat < graph.ranks(), "seat ", seat, " of ", graph.ranks());
    require(taken[to_index(seat)]++ == 0, "seat ", seat, " comes twice");
  }
}

std::vector<Count> groups_of_positions(const Runs& sizes) {
  std::vector<Count> groups;
  groups.reserve(to_size(sizes.total()));
  Count group = 0;
  for (const Run& run : sizes.runs())
    for (Count i = 0; i < run.repeats; ++i) groups.insert(groups.end(), to_size(run.value), group++);
  return groups;
}

GraphLevelCost level_cost(const MessageGraph& graph, const Machine::Level& level, const Runs& sizes,
                          std::span<const Rank> seats) {
  const std::vector<Count> group_of = groups_of_positions(sizes);
  Counts leaving(to_size(sizes.size()), 0);
  GraphLevelCost cost{level.name};
  for (std::size_t rank = 0; rank < seats.size(); ++rank) {
    const Count own = group_of[to_index(seats[rank])];
    const std::span neighbours = graph.neighbours(to_count(rank));
    const std::span bytes = graph.bytes_with_neighbours(to_count(rank));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (group_of[to_index(seats[to_index(neighbours[i])])] == own) continue;
      leaving[to_index(own)] += bytes[i];
      // Every pair is seen from both sides.
      if (neighbours[i] > to_count(rank)) cost.crossing += bytes[i];
    }
  }
  cost.busiest = leaving.empty() ? 0 : *std::max_element(leaving.begin(), leaving.end());
  return cost;
}

}  // namespace

LevelWeights usual_weights(const Machine& machine) {
  LevelWeights prices(machine.levels().size(), node_price);
  for (std::size_t level = machine.node_level() + 1; level < prices.size(); ++level)
    prices[level] = std::max<Count>(1, prices[level - 1] / inner_discount);
  return prices;
}

GraphCost cost_of(const MessageGraph& graph, const Machine& machine, std::span<const Rank> seats) {
  check_seats(graph, machine, seats);
  GraphCost cost{{}, machine.node_level()};
  for (std::size_t level = 0; level < machine.levels().size(); ++level)
    cost.levels.push_back(level_cost(graph, machine.levels()[level], machine.sizes(level), seats));
  return cost;
}

Wide priced(const GraphCost& cost, const LevelWeights& prices) {
  require(prices.size() == cost.levels.size(), prices.size(), " prices for ", cost.levels.size(), " levels");
  Wide sum = 0;
  for (std::size_t level = 0; level < prices.size(); ++level)
    sum += Wide{prices[level]} * cost.levels[level].crossing;
  return sum;
}

}  // namespace halocline::place
