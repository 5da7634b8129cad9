// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/placement_choice.hpp"

#include "place/optimal_strips/optimal_strips.hpp"

namespace halocline::plan {

void require_placement_name(std::string_view name) {
  if (name != best_placement) (void)place::algorithm(name);
}

PlacementChoice choose_placement(const place::Problem& problem, std::string_view name,
                                 const place::BestOptions& options) {
  if (name != best_placement) {
    const place::Algorithm& algorithm = place::algorithm(name);
    if (algorithm.place != place::optimal_strips) return {std::string(name), algorithm.place(problem), {}};
    place::Rated rated = place::rated_optimal_strips(problem);
    return {std::string(name), std::move(rated.placement), {}, rated.sum, rated.planning_steps};
  }
  place::BestPlacement best = place::best(problem, options);
  return {std::string(best.algorithm), std::move(best.placement), std::move(best.cost), best.j_sum,
          best.planning_steps};
}

PlacementChoice choose_rated_placement(const place::Problem& problem, std::string_view name,
                                       const place::BestOptions& options) {
  PlacementChoice choice = choose_placement(problem, name, options);
  if (choice.cost.levels.empty()) choice.cost = place::cost(problem, choice.placement);
  return choice;
}

}  // namespace halocline::plan
