// SPDX-License-Identifier: BSD-3-Clause
// The placement algorithms compared on the grid of a plan, by exact bytes and predicted time.

#include "plan/prediction/rated_placements.hpp"

#include "place/algorithms.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/prediction/prediction.hpp"

namespace halocline::plan {
namespace {

/// Placed at random, all nodes send to all: beyond this the pairs of nodes would take minutes and gigabytes.
constexpr Count most_random_ranks = Count{1} << 17;

bool affordable(const place::Algorithm& algorithm, const Machine& machine) {
  return algorithm.name != "random" || machine.ranks() <= most_random_ranks;
}

}  // namespace

std::vector<RatedPlacement> rate_placements(const Problem& problem, const Plan& plan,
                                            const LevelCosts& prices) {
  const Problem complete = ready(problem);
  const place::Problem placing(plan.grid,
                               with_message_sizes(complete.mesh, plan.grid, complete.stencil, complete.halo),
                               complete.machine);
  const ScheduleChoice schedule = schedule_named(plan.schedule);
  std::vector<RatedPlacement> rated;
  for (const place::Algorithm& algorithm : place::algorithms()) {
    if (!affordable(algorithm, complete.machine)) continue;
    const Placement placement = algorithm.place(placing);
    rated.push_back({std::string(algorithm.name), predict(Placed(complete, placement), schedule, prices)});
  }
  return rated;
}

}  // namespace halocline::plan
