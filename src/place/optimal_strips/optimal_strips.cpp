// SPDX-License-Identifier: BSD-3-Clause
// Optimal strips. For each order of the dimensions and of the nodes along the walk, strip_planner finds the
// best widths; the cheapest plan wins, by exact cost where the grid is small and by the model's otherwise.

#include "place/optimal_strips/optimal_strips.hpp"

#include "base/numbers.hpp"
#include "place/cost/steps_on_grid.hpp"
#include "place/optimal_strips/fewer_dimensions.hpp"
#include "place/optimal_strips/node_line.hpp"
#include "place/optimal_strips/row_kinds.hpp"
#include "place/optimal_strips/strip_planner.hpp"
#include "place/optimal_strips/strip_walk.hpp"
#include "place/simple/strips.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace halocline::place {
namespace {

/// The orders of dimensions worth a try: all of them up to `most` dimensions, then one for each dimension
/// that rows can run along. Orders that differ by exchanging dimensions that are alike count once.
std::vector<std::vector<std::size_t>> orders(const Grid& grid, const Steps& steps, std::size_t most) {
  std::vector<std::size_t> order(grid.dimensions());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> all;
  if (order.size() > most) {
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
    for (const std::size_t d : order) view[0].insert(view[0].end(), {grid.extents()[d], grid.periodic(d)});
    for (const GridStep& step : steps.list) {
      view.push_back({step.weight});
      for (const std::size_t d : order) view.back().push_back(step.offset[d]);
    }
    std::sort(view.begin() + 1, view.end());
    if (seen.insert(std::move(view)).second) all.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

/// An order of dimensions that may take more steps than this, which is seconds, is not tried.
constexpr double largest_planning_work = 1e9;
/// So many steps all orders may take together, which is half a second.
constexpr double most_planning_steps = 1e8;
/// Each step of a stencil that leads along k dimensions has 2^k mirror images; no more than this are planned
/// with.
constexpr double most_images = 1 << 20;
/// Up to so many dimensions all orders are tried. From here on those of one cell are left out.
constexpr std::size_t few_dimensions = 4;
/// Widths up to so many times the ideal ones are tried in every order, and more of them again in the most
/// promising ones.
constexpr WidthRange usual_widths{1.6, 4}, wide_widths{2.5, 12};
/// In slabs of a large grid, many strips make up for each other, and planning has to be thrifty.
constexpr WidthRange thrifty_widths{1.35, 4};

/// What is tried at first, and what the most promising candidates are polished with.
struct WidthRanges {
  WidthRange first, polish;
  std::size_t polished;  ///< How many candidates.
};

/// In a small grid few strips have to take what fits; a large one takes time.
WidthRanges width_ranges(const Grid& grid) {
  constexpr Count small = 4'000, small_2d = 1'500, large = 100'000;
  if (grid.dimensions() <= 2) return {usual_widths, wide_widths, grid.size() <= small_2d ? 2U : 0U};
  if (grid.size() <= small) return {usual_widths, wide_widths, 2};
  return {thrifty_widths, usual_widths, grid.size() <= large ? 4U : 0U};
}

/// Up to here uneven nodes are also tried large and small by turns, which takes a look at each node.
constexpr Count largest_interleaved = 100'000;
/// So many steps (cells x offsets) may be spent on exact costs of the candidates, most promising first; more
/// would take longer than planning.
constexpr double largest_exact_work = 150'000;
/// Further than this from the least cost by the model, a candidate cannot win (see preference.hpp), or
/// hardly.
constexpr double worth_a_look_if_exact = 1.03, worth_a_look = 1.1;

/// The orders of nodes that are worth a try.
std::vector<NodeLine> lines_of(const Runs& sizes) {
  std::vector<NodeLine> lines{NodeLine::in_rank_order(sizes)};
  const auto add = [&](NodeLine line) {
    for (const NodeLine& known : lines)
      if (line.same_sizes(known)) return;
    lines.push_back(std::move(line));
  };
  if (sizes.uniform()) return lines;
  add(NodeLine::largest_first(sizes));
  if (sizes.total() <= largest_interleaved) add(NodeLine::interleaved(sizes));
  return lines;
}

struct Candidate {
  PlannedStrips planned;
  const NodeLine* line;

  [[nodiscard]] Placement placement(const Grid& grid) const {
    return {grid, std::make_shared<StripWalk>(grid, planned.plan, *line)};
  }
};

void sort_by_cost(std::vector<Candidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.planned.cost < b.planned.cost; });
}

/// What is left of the steps that planning may take.
struct StepsLeft {
  double steps = most_planning_steps;

  /// Plans with an equal share of what is left for this plan and `others`; none if that is not enough.
  std::optional<PlannedStrips> plan(StripPlanner& planner, const Rows& rows, const NodeLine& line,
                                    std::size_t others) {
    const double share = std::max(steps, 0.0) / to_double(others + 1);
    double rest = share;
    std::optional<PlannedStrips> planned = planner.plan_within(rest, rows, line);
    steps -= share - rest;
    return planned;
  }
};

/// One order of dimensions that is tried.
struct Attempt {
  std::size_t number;
  std::unique_ptr<StripPlanner> planner;
  std::set<Rows> rows;
};

double images_of(const Steps& steps) {
  double images = 0;
  for (const GridStep& step : steps.list)
    images += std::ldexp(
        1.0, to_int(std::count_if(step.offset.begin(), step.offset.end(), [](Count x) { return x != 0; })));
  return images;
}

/// Cheap ones first: what they leave is for the others.
std::vector<Attempt> attempts_for(const Problem& problem, const Steps& steps,
                                  const std::vector<NodeLine>& lines, const WidthRange& widths) {
  std::vector<Attempt> attempts;
  if (images_of(steps) > most_images) return attempts;
  for (const std::vector<std::size_t>& order :
       orders(problem.grid(), steps, lines.size() > 1 ? 3 : few_dimensions)) {
    auto planner = std::make_unique<StripPlanner>(problem, steps, lines.front().sizes(), order, widths);
    if (planner->work() <= largest_planning_work)
      attempts.push_back({attempts.size(), std::move(planner), kinds_of_rows(steps, order)});
  }
  std::stable_sort(attempts.begin(), attempts.end(),
                   [](const Attempt& a, const Attempt& b) { return a.planner->work() < b.planner->work(); });
  return attempts;
}

/// The best plan for each order of dimensions, order of nodes and kind of rows, cheapest by the model first.
std::vector<Candidate> candidates_for(const Problem& problem, const Steps& steps,
                                      const std::vector<NodeLine>& lines, const WidthRange& widths,
                                      StepsLeft& left) {
  std::vector<Attempt> attempts = attempts_for(problem, steps, lines, widths);
  std::size_t others = 0;
  for (const Attempt& attempt : attempts) others += attempt.rows.size() * lines.size();
  std::vector<std::vector<Candidate>> found(attempts.size());
  for (Attempt& attempt : attempts) {
    for (const Rows& rows : attempt.rows)
      for (const NodeLine& line : lines)
        if (auto planned = left.plan(*attempt.planner, rows, line, --others))
          found[attempt.number].push_back({std::move(*planned), &line});
    attempt.planner.reset();
  }
  std::vector<Candidate> candidates;
  for (std::vector<Candidate>& some : found)
    std::move(some.begin(), some.end(), std::back_inserter(candidates));
  sort_by_cost(candidates);
  return candidates;
}

/// Plans the most promising candidates once more, with more widths to choose from.
void polish(const Problem& problem, const Steps& steps, const WidthRanges& widths,
            std::vector<Candidate>& candidates, StepsLeft& left) {
  std::map<std::vector<std::size_t>, StripPlanner> planners;  // what they know of turns serves all rows
  const std::size_t polished = std::min(candidates.size(), widths.polished);
  for (std::size_t i = 0; i < polished; ++i) {
    const StripPlan& plan = candidates[i].planned.plan;
    StripPlanner& planner =
        planners
            .try_emplace(plan.order, problem, steps, candidates[i].line->sizes(), plan.order, widths.polish)
            .first->second;
    std::optional<PlannedStrips> wider = left.plan(planner, plan.rows, *candidates[i].line, polished - 1 - i);
    if (wider && wider->cost < candidates[i].planned.cost) candidates[i].planned = std::move(*wider);
  }
  sort_by_cost(candidates);
}

/// The preferred one by exact cost, among as many as there is time for.
Rated choose(const Problem& problem, const Steps& steps, std::vector<Candidate> candidates) {
  const Grid& grid = problem.grid();
  const double least = candidates.front().planned.cost;
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return candidate.planned.cost > least * (candidate.planned.exact ? worth_a_look_if_exact : worth_a_look);
  });
  const double work = (to_double(steps.list.size()) + 4) * to_double(grid.size());
  const auto affordable = std::max(static_cast<std::size_t>(largest_exact_work / work), std::size_t{1});
  Contest contest(problem);
  for (std::size_t i = 0; i < std::min(affordable, candidates.size()); ++i)
    contest.enter({candidates[i].placement(grid), candidates[i].planned.known_sum(), std::nullopt,
                   candidates[i].planned.maximum_at_most});
  return contest.entered(contest.winner());
}

}  // namespace

Rated rated_optimal_strips(const Problem& problem) {
  const Grid& grid = problem.grid();
  if (grid.dimensions() >= few_dimensions)
    if (const std::optional<FewerDimensions> fewer = FewerDimensions::of(problem)) {
      Rated rated = rated_optimal_strips(fewer->problem);
      rated.placement = fewer->back(grid, rated.placement);
      return rated;
    }
  const Steps steps = normalized_steps(grid, problem.stencil());
  const Runs& sizes = problem.machine().node_sizes();
  if (sizes.size() == 1 || steps.list.empty()) return {strips(problem)};  // nothing can be cut
  const std::vector<NodeLine> lines = lines_of(sizes);
  const WidthRanges widths = width_ranges(grid);
  StepsLeft left;
  std::vector<Candidate> candidates = candidates_for(problem, steps, lines, widths.first, left);
  if (candidates.empty())
    return {strips(problem), std::nullopt, std::nullopt, std::nullopt, most_planning_steps - left.steps};
  polish(problem, steps, widths, candidates, left);
  Rated rated = choose(problem, steps, std::move(candidates));
  rated.planning_steps = most_planning_steps - left.steps;
  return rated;
}

Placement optimal_strips(const Problem& problem) { return rated_optimal_strips(problem).placement; }

}  // namespace halocline::place
