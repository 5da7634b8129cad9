// SPDX-License-Identifier: BSD-3-Clause
// k-d tree placement, after Hunold et al., "Efficient Process-to-Node Mapping Algorithms for Stencil
// Computations", CLUSTER 2020, Algorithm 2. Node sizes are not an input: compactness serves them all.

#include "place/simple/kd_tree.hpp"

#include "base/integers.hpp"
#include "base/wide.hpp"
#include "place/simple/box_tree.hpp"

namespace halocline::place {
namespace {

/// For each dimension, the weight of the offsets that leave a cell along it.
Counts crossing_weights(const Stencil& stencil) {
  Counts crossing(stencil.dimensions(), 0);
  for (std::size_t i = 0; i < stencil.size(); ++i)
    for (std::size_t d = 0; d < crossing.size(); ++d)
      if (stencil.offsets()[i][d] != 0) crossing[d] = checked_add(crossing[d], stencil.weights()[i]);
  return crossing;
}

/// Halves the box along the dimension of largest extent / crossing, the first of equals; a dimension that
/// nothing crosses comes before all others.
Cut cut_in_half(const Counts& extents, const Counts& crossing) {
  std::size_t best = extents.size();
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 2) continue;
    if (best == extents.size() || Wide{extents[d]} * crossing[best] > Wide{extents[best]} * crossing[d])
      best = d;
  }
  if (best == extents.size()) return {};
  return {best, extents[best] / 2, {}};
}

}  // namespace

Placement kd_tree(const Problem& problem) {
  const Counts crossing = crossing_weights(problem.stencil());
  const auto cut = [&](const Counts& extents) { return cut_in_half(extents, crossing); };
  return {problem.grid(), std::make_shared<BoxTree>(problem.grid(), cut, false)};
}

}  // namespace halocline::place
