// SPDX-License-Identifier: BSD-3-Clause
#include "plan/report/plan_file.hpp"

#include "base/fail.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/given_seats.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/placement/network_contest.hpp"
#include "plan/prediction/prediction.hpp"

namespace halocline::plan {

Seating seating_of(const Decisions& decisions) {
  const Problem complete = ready(decisions.problem);
  const Grid grid(decisions.grid, complete.mesh.periodicity());
  if (decisions.algorithm == not_placed) {
    GivenSeats seats = given_seats(grid, decisions.nodes_of_cells);
    const std::string why_not = why_not_on(complete.machine, seats.machine);
    require(why_not.empty(), "its cells are not on its nodes: ", why_not);
    return {grid, std::move(seats.placement), decisions.algorithm, decisions.wanted, decisions.candidates};
  }
  // The algorithm that won, with the mapping that was best for it.
  Stencil weighted = decisions.placed_along
                         ? *decisions.placed_along
                         : with_message_sizes(complete.mesh, grid, complete.stencil, complete.halo);
  const place::Problem placing(grid, weighted, complete.machine);
  Placement placement = choose_placement(placing, decisions.algorithm).placement;
  Seating seating{grid, placement,          decisions.algorithm, decisions.wanted, decisions.candidates,
                  {},   std::move(weighted)};
  if (!complete.allocation) return seating;
  auto [algorithm, fitted] =
      fit_to_network(placing, {decisions.algorithm, std::move(placement)}, decisions.algorithm,
                     *complete.allocation, decisions.choices.network);
  seating.network = summary(*complete.allocation, name_of(decisions.choices.network.variant), fitted);
  seating.network->score_before = {decisions.fullest_link_before, decisions.hops_before};
  seating.placement = std::move(fitted.placement);
  return seating;
}

std::string why_not_on(const Machine& planned, const Machine& here) {
  if (planned.ranks() != here.ranks())
    return concat("it is for ", planned.ranks(), " processes, and here are ", here.ranks());
  if (planned.node_sizes() != here.node_sizes())
    return concat("it is for nodes with ", planned.node_sizes().to_text(), " processes, and here they have ",
                  here.node_sizes().to_text());
  return "";
}

}  // namespace halocline::plan
