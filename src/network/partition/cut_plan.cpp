// SPDX-License-Identifier: BSD-3-Clause
#include "network/partition/cut_plan.hpp"

#include "base/factorization.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halocline::network {
namespace {

/// The least s with s^levels >= parts.
Count root_up(Count parts, Count levels) {
  auto root = static_cast<Count>(std::pow(to_double(parts), 1.0 / to_double(levels)));
  const auto too_small = [&](Count s) {
    Count product = 1;
    for (Count level = 0; level < levels && product < parts; ++level) product *= s;
    return product < parts;
  };
  root = std::max<Count>(root - 1, 1);
  while (too_small(root)) ++root;
  return root;
}

}  // namespace

CutPlan::CutPlan(Cuts cuts, Count parts) : cuts_(std::move(cuts)) {
  require(cuts_.depth >= 0, "the recursion depth ", cuts_.depth,
          " is negative; it takes 0 for bisection, or levels");
  if (cuts_.pieces.empty()) return;
  for (const Count pieces : cuts_.pieces)
    require(pieces >= 1, "a level of ", pieces, " pieces among ", join(cuts_.pieces, ","),
            "; it takes at least 1");
  const Count product = checked_product(cuts_.pieces);
  require(product == parts, "levels of ", join(cuts_.pieces, ","), " pieces make ", product,
          " parts, but there shall be ", parts);
}

Count CutPlan::pieces(Count parts, std::size_t level) const {
  if (!cuts_.pieces.empty()) return cuts_.pieces[level];
  if (cuts_.depth == 0) return 2;
  const Count levels = cuts_.depth - to_count(level);
  // Bisection halves, rounding up: log2 levels are enough. More change nothing.
  return levels >= 63 ? 2 : std::max<Count>(root_up(parts, levels), 2);
}

Count CutPlan::parts_before(Count parts, Count pieces, Count first) {
  if (pieces != 2 || !cuts_.largest_prime) return divide_up(parts * first, pieces);
  if (first != 1) return first == 0 ? 0 : parts;
  const auto [place, is_new] = lower_of_.try_emplace(parts, 0);
  if (is_new) {
    const Count prime = prime_powers(parts).back().prime;
    place->second = parts / prime * divide_up(prime, 2);
  }
  return place->second;
}

}  // namespace halocline::network
