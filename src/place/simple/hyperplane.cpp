// SPDX-License-Identifier: BSD-3-Clause
// Hyperplane placement, after Hunold et al., "Efficient Process-to-Node Mapping Algorithms for Stencil
// Computations", CLUSTER 2020, Algorithm 1.

#include "place/simple/hyperplane.hpp"

#include "base/factorization.hpp"
#include "base/numbers.hpp"
#include "place/simple/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace halocline::place {
namespace {

/// For each dimension, how parallel the stencil is to it: the sum of squared cosines, equation (2).
std::vector<double> parallelism(const Stencil& stencil) {
  std::vector<double> sums(stencil.dimensions(), 0);
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    double norm = 0;
    for (const Count step : stencil.offsets()[i]) norm += to_double(step) * to_double(step);
    if (norm == 0) continue;
    const auto weight = to_double(stencil.weights()[i]);
    for (std::size_t d = 0; d < sums.size(); ++d) {
      const auto step = to_double(stencil.offsets()[i][d]);
      sums[d] += weight * (step * step) / norm;
    }
  }
  return sums;
}

/// The dimensions in the order in which cuts are tried: least parallel first, then the longest.
std::vector<std::size_t> preferred_order(const Counts& extents, const std::vector<double>& parallel) {
  constexpr double rounding = 1e-9;
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double scale = std::max(parallel[a], parallel[b]);
    if (std::abs(parallel[a] - parallel[b]) > rounding * scale) return parallel[a] < parallel[b];
    return extents[a] > extents[b];
  });
  return order;
}

/// The most even cut into multiples of `node_size`, along the first preferred dimension that has one.
Cut cut_at_nodes(const Counts& extents, const std::vector<double>& parallel, Count node_size) {
  std::vector<std::size_t> order = preferred_order(extents, parallel);
  const Count cells = std::accumulate(extents.begin(), extents.end(), Count{1}, std::multiplies<>());
  if (cells / 2 > node_size || (cells / 2 == node_size && cells % 2 != 0)) {
    for (const std::size_t d : order) {
      // A cut is allowed after every so many layers that they fill whole nodes.
      const Count layers = node_size / std::gcd(node_size, cells / extents[d]);
      const Count part = extents[d] / 2 / layers * layers;
      if (part > 0) return {d, part, {}};
    }
  }
  return {0, 0, std::move(order)};
}

/// The largest divisor of `n` that is at most `limit`.
Count largest_divisor(Count n, Count limit) {
  if (n % limit == 0) return limit;
  const Counts all = divisors(n);
  return *(std::upper_bound(all.begin(), all.end(), limit) - 1);
}

}  // namespace

Placement hyperplane(const Problem& problem) {
  const Grid& grid = problem.grid();
  const Count node_size = largest_divisor(grid.size(), problem.mean_node_size());
  const std::vector<double> parallel = parallelism(problem.stencil());
  const auto cut = [&](const Counts& extents) { return cut_at_nodes(extents, parallel, node_size); };
  return {grid, std::make_shared<BoxTree>(grid, cut, true)};
}

}  // namespace halocline::place
