#include "place/steps.hpp"

#include "base/integers.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

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
  std::map<Offset, Step> merged;
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    Offset offset = stencil.offsets()[i];
    if (!reduce(grid, offset)) continue;
    Step& step = merged[offset];
    step.repeats += 1;
    step.weight = checked_add(step.weight, stencil.weights()[i]);
  }
  Steps steps;
  for (auto& [offset, step] : merged) {
    step.offset = offset;
    steps.low = std::min(steps.low, offset[0]);
    steps.high = std::max(steps.high, offset[0]);
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
