// SPDX-License-Identifier: BSD-3-Clause
// Stencils that lean to one side, such as octants, are cut less by nodes that lean the same way.

#include "place/optimal_strips/row_kinds.hpp"

#include "base/wide.hpp"

namespace halocline::place {
namespace {

/// Which of the two ways to slant a node's ends costs less, for each level against the rows: the stairs
/// should climb along the heavier diagonals of the stencil. As walked where both are alike.
std::vector<Fill> along_diagonals(const Steps& steps, const std::vector<std::size_t>& order) {
  std::vector<Fill> fill;
  for (std::size_t j = 0; j + 1 < order.size(); ++j) {
    Wide rising = 0;
    for (const GridStep& step : steps.list) {
      const Count across = step.offset[order[j]], along = step.offset[order.back()];
      if (across != 0 && along != 0) rising += (across > 0) == (along > 0) ? step.weight : -step.weight;
    }
    fill.push_back(rising > 0 ? Fill::against_rows : rising < 0 ? Fill::with_rows : Fill::as_walked);
  }
  return fill;
}

/// The weight that a node's end cuts in each column, if its rows climb by so many quarters.
Wide cut_by_slope(const Steps& steps, const std::vector<std::size_t>& order, const std::vector<Fill>& fill,
                  const Counts& slope) {
  Wide cut = 0;
  for (const GridStep& step : steps.list) {
    Wide along = Wide{4} * step.offset[order.back()];
    for (std::size_t j = 0; j < slope.size(); ++j) {
      const Count across = step.offset[order[j]];
      along -= Wide{slope[j]} * (fill[j] == Fill::with_rows ? -across : across);
    }
    cut += Wide{step.weight} * (along < 0 ? -along : along);
  }
  return cut;
}

/// The slopes that cut least, level by level; 0 where a slope saves next to nothing.
Counts best_slopes(const Steps& steps, const std::vector<std::size_t>& order, const std::vector<Fill>& fill) {
  constexpr Count steepest = 8;
  Counts slope(fill.size(), 0);
  for (std::size_t j = fill.size(); j-- > 0;) {
    if (fill[j] == Fill::as_walked) continue;
    const Wide flat = cut_by_slope(steps, order, fill, slope);
    Counts best = slope;
    Wide least = flat - flat / 20;
    for (Count quarters = 1; quarters <= steepest; ++quarters) {
      slope[j] = quarters;
      const Wide cut = cut_by_slope(steps, order, fill, slope);
      if (cut >= least) continue;
      least = cut;
      best = slope;
    }
    slope = best;
  }
  return slope;
}

}  // namespace

std::set<Rows> kinds_of_rows(const Steps& steps, const std::vector<std::size_t>& order) {
  const std::vector<Fill> all = along_diagonals(steps, order);
  std::vector<Fill> strips_only(all.size(), Fill::as_walked);
  if (!all.empty()) strips_only.back() = all.back();
  // Where rows can climb, level ones are worth a try with every level along the diagonals alone.
  return {{all, Counts(all.size(), 0)},
          {all, best_slopes(steps, order, all)},
          {strips_only, best_slopes(steps, order, strips_only)}};
}

}  // namespace halocline::place
