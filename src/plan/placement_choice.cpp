#include "halocline/plan/placement_choice.hpp"

namespace halocline::plan {

void require_placement_name(std::string_view name) {
  if (name != best_placement) (void)place::algorithm(name);
}

PlacementChoice choose_placement(const place::Problem& problem, std::string_view name,
                                 const place::BestOptions& options) {
  if (name != best_placement) return {std::string(name), place::algorithm(name).place(problem), {}};
  place::BestPlacement best = place::best(problem, options);
  return {std::string(best.algorithm), std::move(best.placement), std::move(best.cost), best.j_sum};
}

PlacementChoice choose_rated_placement(const place::Problem& problem, std::string_view name,
                                       const place::BestOptions& options) {
  PlacementChoice choice = choose_placement(problem, name, options);
  if (choice.cost.levels.empty()) choice.cost = place::cost(problem, choice.placement);
  return choice;
}

}  // namespace halocline::plan
