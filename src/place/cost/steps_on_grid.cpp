// SPDX-License-Identifier: BSD-3-Clause
#include "place/cost/steps_on_grid.hpp"

#include "base/integers.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace halocline::place {

std::optional<Offset> shortest(const Grid& grid, Offset offset) {
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const Count extent = grid.extents()[d];
    if (grid.periodic(d)) {
      offset[d] = floor_modulo(offset[d], extent);
      if (offset[d] > extent / 2) offset[d] -= extent;
    } else if (offset[d] <= -extent || offset[d] >= extent) {
      return std::nullopt;
    }
  }
  return offset;
}

Steps normalized_steps(const Grid& grid, const Stencil& stencil) {
  std::vector<GridStep> all;
  all.reserve(stencil.size());
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    std::optional<Offset> offset = shortest(grid, stencil.offsets()[i]);
    if (offset && std::any_of(offset->begin(), offset->end(), [](Count step) { return step != 0; }))
      all.push_back({std::move(*offset), 1, stencil.weights()[i]});
  }
  std::sort(all.begin(), all.end(), [](const GridStep& a, const GridStep& b) { return a.offset < b.offset; });
  Steps steps;
  steps.list.reserve(all.size());
  for (GridStep& step : all) {
    if (!steps.list.empty() && steps.list.back().offset == step.offset) {
      GridStep& same = steps.list.back();
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
