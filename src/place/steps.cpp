#include "place/steps.hpp"

#include "base/integers.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace halocline::place {
namespace {

/// Reduces `offset` in place; false if it leads out of the grid from every cell, or nowhere.
bool reduce(const Grid& grid, Offset& offset) {
  bool moves = false;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const Count extent = grid.extents()[d];
    if (grid.periodic(d)) {
      offset[d] = floor_modulo(offset[d], extent);
      if (offset[d] > extent / 2) offset[d] -= extent;
    } else if (offset[d] <= -extent || offset[d] >= extent) {
      return false;
    }
    moves |= offset[d] != 0;
  }
  return moves;
}

}  // namespace

Steps normalized_steps(const Grid& grid, const Stencil& stencil) {
  std::vector<Step> all;
  all.reserve(stencil.size());
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    Step step{stencil.offsets()[i], 1, stencil.weights()[i]};
    if (reduce(grid, step.offset)) all.push_back(std::move(step));
  }
  std::sort(all.begin(), all.end(), [](const Step& a, const Step& b) { return a.offset < b.offset; });
  Steps steps;
  steps.list.reserve(all.size());
  for (Step& step : all) {
    if (!steps.list.empty() && steps.list.back().offset == step.offset) {
      Step& same = steps.list.back();
      same.repeats += 1;
      same.weight = checked_add(same.weight, step.weight);
      continue;
    }
    steps.low = std::min(steps.low, step.offset[0]);
    steps.high = std::max(steps.high, step.offset[0]);
    steps.list.push_back(std::move(step));
  }
  return steps;
}

Count occurrences(const Grid& grid, const Offset& step) {
  Count count = 1;
  for (std::size_t d = 0; d < step.size(); ++d)
    count *= grid.periodic(d) ? grid.extents()[d] : grid.extents()[d] - std::abs(step[d]);
  return count;
}

}  // namespace halocline::place
