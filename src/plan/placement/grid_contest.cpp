// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/grid_contest.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "place/cost/internode_sum.hpp"
#include "place/cost/partial_cost.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/seat_table.hpp"
#include "shape/choose.hpp"

#include <algorithm>
#include <utility>

namespace halocline::plan {
namespace {

/// Once planning took so many steps for the grids before, which is a second or two, only those grids are
/// placed that have to be.
constexpr Count most_planning_steps = 300'000'000;

/// A grid and what its processes send, wherever they are.
struct SizedGrid {
  Stencil stencil;  ///< Weighted by the size of each message.
  place::Problem placing;
  Count between_ranks;
};

SizedGrid sized(const MeshProblem& problem, const Counts& dims) {
  Grid grid(dims, problem.mesh.periodicity());
  Stencil stencil = with_message_sizes(problem.mesh, grid, problem.stencil, problem.halo);
  place::Problem placing(std::move(grid), that_sends(stencil, problem.halo), problem.machine);
  const Count between_ranks = place::sum_between_ranks(placing);
  return {std::move(stencil), std::move(placing), between_ranks};
}

/// Bytes between nodes; none if they are more than `limit`. No more is worked out than that takes.
std::optional<Count> sum_within(const place::Problem& problem, const PlacementChoice& choice, Count limit) {
  return choice.j_sum ? choice.j_sum : place::InternodeSum(problem).within(choice.placement, limit);
}

/// The grid on the machine, as it is placed if `count` of them may take as long as the options say.
PlacementChoice placement_of(const SizedGrid& sized, const GridOptions& options, Count count) {
  return choose_placement(sized.placing, name_of(options.algorithm),
                          {.seconds = options.seconds / to_double(count), .cost = false});
}

GridChoice choice_of(SizedGrid sized, PlacementChoice placed) {
  return {sized.placing.grid(),
          std::move(sized.stencil),
          std::move(placed.placement),
          std::move(placed.algorithm),
          {},
          1};
}

}  // namespace

GridContest::GridContest(MeshProblem problem, const GridOptions& options)
    : problem_(std::move(problem)), options_(options) {
  if (problem_.stencil.dimensions() != problem_.mesh.dimensions())
    fail(Fault::invalid_dimensions, "the stencil has ", problem_.stencil.dimensions(),
         " dimensions, the mesh ", problem_.mesh.dimensions());
  grids_ = entrants();
}

std::vector<GridContest::Entrant> GridContest::entrants() const {
  shape::Problem shaping = shape::Problem::for_mesh({problem_.machine.ranks()}, problem_.mesh, problem_.halo);
  shaping.fixed = problem_.fixed;
  std::vector<Entrant> grids;
  const auto volume = [&](const Counts& dims) { return shape::level_costs(shaping, Shape{{dims}}).back(); };
  for (Counts& dims : shape::candidates(shaping, options_.most_candidates)) {
    if (!grids.empty() && volume(dims) > options_.volume_slack * volume(grids.front().dims)) break;
    grids.push_back({std::move(dims), grids.empty()});
  }
  const auto add = [&](Counts dims) {
    const auto known =
        std::find_if(grids.begin(), grids.end(), [&](const Entrant& grid) { return grid.dims == dims; });
    if (known != grids.end())
      known->has_to_be = true;
    else
      grids.push_back({std::move(dims), true});
  };
  add(shape::for_nodes(shaping, problem_.machine.node_sizes()).front().dims);
  if (const auto levels = problem_.machine.arities()) {
    shaping.levels = *levels;
    add(shape::by_levels(shaping).dims());
  }
  return grids;
}

bool GridContest::takes_part(std::size_t number, Count planning_steps) const {
  return planning_steps <= most_planning_steps || grids_[number].has_to_be;
}

GridScore GridContest::score(std::size_t number) {
  SizedGrid grid = sized(problem_, grids_[number].dims);
  GridScore score{.between_ranks = grid.between_ranks};
  // On one node no placement sends anything between nodes: only the winner is placed.
  if (problem_.machine.nodes() == 1) {
    score.between_nodes = score.planning_steps = 0;
    return score;
  }
  PlacementChoice choice = placement_of(grid, options_, size());
  score.planning_steps = static_cast<Count>(choice.planning_steps);
  const Count limit = leader_ ? leader_->score.between_nodes : GridScore::unknown;
  score.between_nodes = sum_within(grid.placing, choice, limit).value_or(GridScore::unknown);
  if (!leader_ || score.better_than(leader_->score))
    leader_.emplace(Leader{number, choice_of(std::move(grid), std::move(choice)), score});
  return score;
}

GridChoice GridContest::placed(std::size_t number) const {
  SizedGrid grid = sized(problem_, grids_[number].dims);
  PlacementChoice choice = placement_of(grid, options_, size());
  return choice_of(std::move(grid), std::move(choice));
}

GridScores GridContest::scores(Count first, Count step) {
  GridScores scores(grids_.size());
  Count planning_steps = 0;
  for (Count number = first; number < size(); number += step) {
    const std::size_t grid = to_size(number);
    if (!takes_part(grid, planning_steps)) continue;
    scores[grid] = score(grid);
    planning_steps += scores[grid].planning_steps;
  }
  return scores;
}

GridContest::Result GridContest::result(const GridScores& scores) const {
  Result result{0, 0};
  Count planning_steps = 0;
  for (std::size_t number = 0; number < grids_.size(); ++number) {
    if (!takes_part(number, planning_steps)) continue;
    ++result.candidates;
    planning_steps += scores[number].planning_steps;
    if (scores[number].better_than(scores[result.best])) result.best = number;
  }
  return result;
}

GridChoice GridContest::winner(const GridScores& scores) const {
  const auto [best, candidates] = result(scores);
  GridChoice choice = leader_ && leader_->number == best ? leader_->choice : placed(best);
  choice.candidates = candidates;
  return choice;
}

GridChoice GridContest::winner(const GridScores& scores, std::string algorithm,
                               std::vector<Rank> owners) const {
  const auto [best, candidates] = result(scores);
  SizedGrid grid = sized(problem_, grids_[best].dims);
  Placement placement = seat_table(grid.placing.grid(), std::move(owners));
  GridChoice choice = choice_of(std::move(grid), {std::move(algorithm), std::move(placement), {}});
  choice.candidates = candidates;
  return choice;
}

}  // namespace halocline::plan
