// Optimal strips. For each order of the dimensions and of the nodes along the walk, strip_planner finds the
// best widths; the cheapest plan wins, by exact cost where the grid is small and by the model's otherwise.

#include "place/optimal_strips.hpp"

#include "halocline/place/cost.hpp"
#include "place/node_line.hpp"
#include "place/preference.hpp"
#include "place/steps.hpp"
#include "place/strip_planner.hpp"
#include "place/strip_walk.hpp"
#include "place/strips.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace halocline::place {
namespace {

/// Which of the two ways to slant a node's ends costs less, for each level against the rows: the stairs
/// should climb along the heavier diagonals of the stencil. As walked where both are alike.
std::vector<Fill> along_diagonals(const Steps& steps, const std::vector<std::size_t>& order) {
  std::vector<Fill> fill;
  for (std::size_t j = 0; j + 1 < order.size(); ++j) {
    Count rising = 0;
    for (const Step& step : steps.list) {
      const Count across = step.offset[order[j]], along = step.offset[order.back()];
      if (across != 0 && along != 0) rising += (across > 0) == (along > 0) ? step.weight : -step.weight;
    }
    fill.push_back(rising > 0 ? Fill::against_rows : rising < 0 ? Fill::with_rows : Fill::as_walked);
  }
  return fill;
}

/// The ways to fill rows that are worth a try: slanted at every level, or between the strips of a slab only.
std::set<std::vector<Fill>> fills(const Steps& steps, const std::vector<std::size_t>& order) {
  const std::vector<Fill> slanted = along_diagonals(steps, order);
  std::vector<Fill> strips_slanted(slanted.size(), Fill::as_walked);
  if (!slanted.empty()) strips_slanted.back() = slanted.back();
  return {slanted, strips_slanted};
}

/// The orders of dimensions worth a try: all of them up to four dimensions, then one for each dimension that
/// rows can run along. Orders that differ by exchanging dimensions that are alike count once.
std::vector<std::vector<std::size_t>> orders(const Grid& grid, const Steps& steps) {
  std::vector<std::size_t> order(grid.dimensions());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> all;
  if (order.size() > 4) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return grid.extents()[a] > grid.extents()[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      all.push_back(order);
      std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    return all;
  }
  std::set<std::vector<Counts>> seen;  // what the planner would see of the grid and the stencil
  do {
    std::vector<Counts> view(1);
    for (const std::size_t d : order) view[0].push_back(2 * grid.extents()[d] + grid.periodic(d));
    for (const Step& step : steps.list) {
      view.push_back({step.weight});
      for (const std::size_t d : order) view.back().push_back(step.offset[d]);
    }
    std::sort(view.begin() + 1, view.end());
    if (seen.insert(std::move(view)).second) all.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

struct Candidate {
  PlannedStrips planned;
  std::size_t line;
};

/// An order of dimensions that takes more steps than this, which is minutes, is not tried.
constexpr double largest_planning_work = 1e10;
/// Widths up to so many times the ideal ones are tried in every order, and in the most promising ones again,
/// if the grid is small: few strips have to take what fits.
constexpr double usual_spread = 1.6, wide_spread = 2.5;
constexpr Count largest_polished = 4'000;
constexpr std::size_t polished = 2;
/// So many steps (cells x offsets) may be spent on exact costs of the candidates, most promising first; more
/// would take longer than planning.
constexpr Count largest_exact_work = 150'000;
/// Further than this from the least cost by the model, a candidate cannot win (see preference.hpp), or
/// hardly.
constexpr double worth_a_look_if_exact = 1.03, worth_a_look = 1.1;

/// Could another placement of no less J_sum win because its J_max is at most half? Not below twice the mean.
bool bad_maximum(const LevelCost& cost) {
  return cost.largest.bytes / 2 >=
         cost.total.bytes / static_cast<Count>(std::max(cost.by_group.size(), std::size_t{1}));
}

}  // namespace

Placement optimal_strips(const Problem& problem) {
  const Grid& grid = problem.grid();
  const Steps steps = normalized_steps(grid, problem.stencil());
  const Runs& sizes = problem.machine().node_sizes();
  std::vector<NodeLine> lines{NodeLine::in_rank_order(sizes)};
  if (!sizes.uniform()) lines.push_back(NodeLine::largest_first(sizes));

  std::vector<Candidate> candidates;
  for (const std::vector<std::size_t>& order : orders(grid, steps))
    for (std::size_t line = 0; line < lines.size(); ++line) {
      StripPlanner planner(problem, steps, lines[line], order, usual_spread);
      if (planner.work() > largest_planning_work) continue;
      for (const std::vector<Fill>& fill : fills(steps, order))
        candidates.push_back({planner.plan(fill), line});
    }
  if (candidates.empty()) return strips(problem);
  const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.planned.cost < b.planned.cost; };
  std::stable_sort(candidates.begin(), candidates.end(), cheaper);

  if (grid.size() <= largest_polished && (grid.dimensions() > 2 || lines.size() > 1))
    for (std::size_t i = 0; i < std::min(candidates.size(), polished); ++i) {
      const auto& [order, fill, parts] = candidates[i].planned.plan;
      StripPlanner planner(problem, steps, lines[candidates[i].line], order, wide_spread);
      Candidate wider{planner.plan(fill), candidates[i].line};
      if (wider.planned.cost < candidates[i].planned.cost) candidates[i] = std::move(wider);
    }
  std::stable_sort(candidates.begin(), candidates.end(), cheaper);

  const auto placement = [&](Candidate& candidate) {
    return Placement(
        grid, std::make_shared<StripWalk>(grid, std::move(candidate.planned.plan), lines[candidate.line]));
  };
  const double least = candidates.front().planned.cost;
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return candidate.planned.cost > least * (candidate.planned.exact ? worth_a_look_if_exact : worth_a_look);
  });
  const Count exact_work = (static_cast<Count>(steps.list.size()) + 4) * grid.size();
  const Count exact_candidates =
      std::min(largest_exact_work / exact_work, static_cast<Count>(candidates.size()));
  if (exact_candidates < 2) return placement(candidates.front());
  std::vector<Placement> placements;
  std::vector<LevelCost> costs;
  for (Count i = 0; i < exact_candidates; ++i) {
    Candidate& candidate = candidates[static_cast<std::size_t>(i)];
    if (i > 0 && candidate.planned.exact && candidate.planned.cost > least && !bad_maximum(costs.front()))
      continue;
    placements.push_back(placement(candidate));
    costs.push_back(node_cost(problem, placements.back()));
  }
  return placements[preferred(costs)];
}

}  // namespace halocline::place
