// SPDX-License-Identifier: BSD-3-Clause
#include "place/best.hpp"

#include "base/numbers.hpp"
#include "place/cost/contest.hpp"
#include "place/cost/partial_cost.hpp"
#include "place/levels.hpp"
#include "place/optimal_strips/optimal_strips.hpp"

#include <span>
#include <vector>

namespace halocline::place {
namespace {

/// What it takes at most to plan with one algorithm and to compute its cost.
double estimated_seconds(const Problem& problem) {
  constexpr double steps_per_second = 1.5e9, steps_of_a_look_up = 50;
  return to_double(problem.grid().size()) * (to_double(problem.stencil().size()) + steps_of_a_look_up) /
         steps_per_second;
}

/// As many of the algorithms as fit into the budget, from the end of the table; the last of it always. Adds
/// up the time.
std::vector<std::string_view> affordable(double one, double budget, double& spent) {
  const std::span<const Algorithm> table = algorithms();
  std::vector<std::string_view> names{table.back().name};
  double needed = one;  // the first has to be compared only if there is a second
  for (std::size_t i = table.size() - 1; i-- > 0 && needed + one <= budget;) {
    needed += one;
    spent = needed;
    names.push_back(table[i].name);
  }
  return names;
}

/// The algorithms that take part, the first of which wins ties.
std::vector<std::string_view> contestants(const Problem& problem, double one, double budget, double& spent) {
  std::vector<std::string_view> names = affordable(one, budget, spent);
  if (problem.machine().nodes() == 1) names.resize(1);  // nothing leaves a node: all are equal
  return names;
}

Rated rated(const Algorithm& algorithm, const Problem& problem) {
  Rated rated =
      algorithm.place == optimal_strips ? rated_optimal_strips(problem) : Rated{algorithm.place(problem)};
  if (problem.machine().nodes() == 1) rated.sum = 0;
  return rated;
}

}  // namespace

BestPlacement best(const Problem& problem, const BestOptions& options) {
  const double one = estimated_seconds(problem);
  double spent = 0;
  const std::vector<std::string_view> names = contestants(problem, one, options.seconds, spent);
  Contest contest(problem);
  double planning_steps = 0;
  for (const std::string_view name : names) {
    Rated entry = rated(algorithm(name), problem);
    planning_steps += entry.planning_steps;
    contest.enter(std::move(entry));
  }
  const std::size_t winner = contest.winner();
  const Rated& won = contest.entered(winner);
  BestPlacement result{won.placement, names[winner], {}, won.sum, planning_steps};
  const auto levels = to_double(problem.machine().levels().size());
  if (options.inside_nodes) {
    const bool compare = spent + 2 * levels * one <= options.seconds;
    result.placement =
        compare ? place_inside_nodes(problem, result.placement) : bisect_nodes(problem, result.placement);
  }
  if (options.cost && spent + one <= options.seconds)
    result.cost = cost_given_node(problem, result.placement, won.node);
  return result;
}

}  // namespace halocline::place
