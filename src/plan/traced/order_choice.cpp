// SPDX-License-Identifier: BSD-3-Clause
#include "plan/traced/order_choice.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "place/graph/map_graph.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/network_contest.hpp"
#include "plan/placement/placement_choice.hpp"

#include <numeric>
#include <utility>

namespace halocline::plan {
namespace {

std::vector<Rank> ranks_as_they_are(Count ranks) {
  std::vector<Rank> numbers(to_size(ranks));
  std::iota(numbers.begin(), numbers.end(), Rank{0});
  return numbers;
}

RatedOrder rated_order(const OrderProblem& problem, std::string by, std::vector<Rank> ranks) {
  place::Order order(problem.machine.node_sizes(), std::move(ranks));
  MatrixCost cost = matrix_cost(problem.matrix, problem.machine, order.positions());
  if (problem.allocation) {
    const network::Aim aim = network::variant(name_of(problem.network.variant)).aim;
    cost.on_network = score_on(problem.matrix, *problem.allocation, nodes_of_ranks(order), aim);
  }
  return {std::move(by), std::move(order), std::move(cost)};
}

/// The rank in the cell of each position.
std::vector<Rank> ranks_of_placement(const GridPattern& pattern, const Placement& placement) {
  std::vector<Rank> rank_of(pattern.cell_of.size());
  for (std::size_t rank = 0; rank < rank_of.size(); ++rank)
    rank_of[to_index(pattern.cell_of[rank])] = to_count(rank);
  std::vector<Rank> owners(rank_of.size()), ranks(rank_of.size());
  placement.ranks(0, owners);
  for (std::size_t cell = 0; cell < owners.size(); ++cell) ranks[to_index(owners[cell])] = rank_of[cell];
  return ranks;
}

RatedOrder order_of_grid(const OrderProblem& problem, const GridPattern& pattern) {
  const place::Problem placed(pattern.grid, pattern.stencil, problem.machine);
  PlacementChoice choice = choose_placement(placed, best_placement, problem.best);
  if (!problem.allocation)
    return rated_order(problem, choice.algorithm, ranks_of_placement(pattern, choice.placement));
  const NetworkContest::Winner winner = fit_to_network(placed, {choice.algorithm, choice.placement},
                                                       best_placement, *problem.allocation, problem.network);
  return rated_order(problem, winner.algorithm, ranks_of_placement(pattern, winner.on_network.placement));
}

RatedOrder order_of_graph(const OrderProblem& problem) {
  std::vector<place::Message> messages;
  messages.reserve(to_size(problem.matrix.pairs()));
  problem.matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    messages.push_back({to_count(source), to_count(target), bytes});
  });
  const place::MessageGraph graph(problem.matrix.ranks(), messages);
  return rated_order(problem, "graph", place::ranks_by_position(place::map_graph(graph, problem.machine)));
}

}  // namespace

std::vector<Count> nodes_of_ranks(const place::Order& order) {
  std::vector<Count> nodes(to_size(order.size()));
  Count position = 0, node = 0;
  for (const auto& [repeats, size] : order.nodes().runs())
    for (Count i = 0; i < repeats; ++i, ++node)
      for (Count end = position + size; position < end; ++position)
        nodes[to_index(order.ranks()[to_index(position)])] = node;
  return nodes;
}

OrderChoice choose_order(const OrderProblem& problem) {
  const Count ranks = problem.matrix.ranks(), places = problem.machine.ranks();
  require(places == ranks, "the nodes hold ", places, " processes, and the messages are those of ", ranks);
  require(!problem.allocation || problem.allocation->size() == problem.machine.nodes(), "the allocation has ",
          problem.allocation ? problem.allocation->size() : 0, " nodes, the machine ",
          problem.machine.nodes(), "; they must be the same");
  RatedOrder before = rated_order(problem, "default", ranks_as_they_are(ranks));
  OrderChoice choice{grid_pattern(problem.matrix), before, before};
  const auto try_out = [&](RatedOrder candidate) {
    if (is_better(candidate.cost, choice.after.cost)) choice.after = std::move(candidate);
  };
  if (choice.pattern) try_out(order_of_grid(problem, *choice.pattern));
  // On uneven nodes the mapper may be better than the algorithms for grids, and it sees what no grid
  // explains.
  try_out(order_of_graph(problem));
  return choice;
}

}  // namespace halocline::plan
