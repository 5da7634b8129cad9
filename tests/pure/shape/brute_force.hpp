// The plainest possible answers, to hold the clever ones against.
#pragma once

#include "halocline/base/count.hpp"
#include "shape/weights.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

namespace halocline::shape {

inline Weights weights_of(const Counts& values) {
  return Weights(std::vector<double>(values.begin(), values.end()));
}

/// Every way to write p as a product of `dimensions` ordered factors.
inline std::vector<Counts> all_grids(Count p, std::size_t dimensions) {
  if (dimensions == 1) return {{p}};
  std::vector<Counts> grids;
  for (Count first = 1; first <= p; ++first) {
    if (p % first != 0) continue;
    for (const Counts& rest : all_grids(p / first, dimensions - 1)) {
      grids.push_back({first});
      grids.back().insert(grids.back().end(), rest.begin(), rest.end());
    }
  }
  return grids;
}

inline Count weighted_sum(const Counts& grid, const Counts& weights) {
  return std::inner_product(grid.begin(), grid.end(), weights.begin(), Count{0});
}

/// Cost, difference and largest factor: what the rules compare, in this order.
inline std::tuple<Count, Count, Count> key(const Counts& grid, const Counts& weights) {
  const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
  return {weighted_sum(grid, weights), *most - *least, *most};
}

/// The grid the rules prefer: the last one, larger factors where cuts are cheap, decides among equal keys.
inline Counts best_grid(const std::vector<Counts>& grids, const Counts& weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] < weights[b]; });
  const auto sorted = [&](const Counts& grid) {
    Counts factors;
    for (const std::size_t d : order) factors.push_back(grid[d]);
    return factors;
  };
  const Counts* best = nullptr;
  for (const Counts& grid : grids) {
    if (best != nullptr) {
      const auto own = key(grid, weights);
      const auto other = key(*best, weights);
      if (own > other || (own == other && sorted(grid) <= sorted(*best))) continue;
    }
    best = &grid;
  }
  return *best;
}

inline Counts times(const Counts& a, const Counts& b) {
  Counts product(a.size());
  std::transform(a.begin(), a.end(), b.begin(), product.begin(), std::multiplies<>());
  return product;
}

}  // namespace halocline::shape
