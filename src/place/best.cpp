#include "halocline/place/best.hpp"

#include "halocline/place/levels.hpp"
#include "place/preference.hpp"

#include <array>
#include <vector>

namespace halocline::place {
namespace {

/// The algorithms in the order in which the budget is spent on them.
constexpr std::array<std::string_view, 7> by_promise{"optimal-strips", "strips",  "hyperplane", "kd-tree",
                                                     "nodecart",       "blocked", "random"};

/// What it takes to plan with one algorithm and to compute its cost.
double estimated_seconds(const Problem& problem) {
  constexpr double steps_per_second = 1.5e9, steps_of_a_look_up = 50;
  return static_cast<double>(problem.grid().size()) *
         (static_cast<double>(problem.stencil().size()) + steps_of_a_look_up) / steps_per_second;
}

}  // namespace

BestPlacement best(const Problem& problem, const BestOptions& options) {
  const double one = estimated_seconds(problem);
  double spent = 0;
  std::vector<Placement> placements;
  std::vector<LevelCost> costs;
  std::vector<std::string_view> names;
  for (const std::string_view name : by_promise) {
    // The first is compared only if a second takes part.
    spent += placements.size() == 1 ? 2 * one : placements.empty() ? 0 : one;
    if (!placements.empty() && spent > options.seconds) break;
    placements.push_back(algorithm(name).place(problem));
    names.push_back(name);
  }
  std::size_t winner = 0;
  if (placements.size() > 1) {
    for (const Placement& placement : placements) costs.push_back(node_cost(problem, placement));
    winner = preferred(costs);
  }
  BestPlacement result{placements[winner], names[winner], {}};
  const auto levels = static_cast<double>(problem.machine().levels().size());
  if (options.inside_nodes) {
    const bool compare = spent + 2 * levels * one <= options.seconds;
    result.placement =
        compare ? place_inside_nodes(problem, result.placement) : bisect_nodes(problem, result.placement);
  }
  if (spent + one <= options.seconds) result.cost = cost(problem, result.placement);
  return result;
}

}  // namespace halocline::place
