// The placement algorithms compared on the grid of a plan, by exact bytes and predicted time.

#include "halocline/place/algorithms.hpp"
#include "plan/prediction.hpp"

namespace halocline::plan {

std::vector<RatedPlacement> rate_placements(const Problem& problem, const Plan& plan, const Prices& prices) {
  const Problem complete = ready(problem);
  const place::Problem placing(plan.grid,
                               with_message_sizes(complete.mesh, plan.grid, complete.stencil, complete.halo),
                               complete.machine);
  std::vector<RatedPlacement> rated;
  for (const place::Algorithm& algorithm : place::algorithms()) {
    const Placement placement = algorithm.place(placing);
    rated.push_back(
        {std::string(algorithm.name), predict(Placed(complete, placement), plan.schedule, prices)});
  }
  return rated;
}

}  // namespace halocline::plan
