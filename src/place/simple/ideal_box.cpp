// SPDX-License-Identifier: BSD-3-Clause
// Isoperimetry: of all boxes of one volume, the one whose sides are as the costs of crossing them.

#include "place/simple/ideal_box.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace halocline::place {

std::vector<double> ideal_box(std::span<const double> crossing, std::span<const Count> extents,
                              double cells) {
  const std::size_t dimensions = extents.size();
  std::vector<double> sides(dimensions, 1);
  std::vector<bool> fixed(dimensions, false);
  for (std::size_t d = 0; d < dimensions; ++d) fixed[d] = crossing[d] == 0;  // nothing to gain from length
  for (;;) {
    double rest = cells, product = 1, free = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (fixed[d]) {
        rest /= sides[d];
      } else {
        product *= crossing[d];
        free += 1;
      }
    }
    if (free == 0) return sides;
    const double unit = std::pow(std::max(rest, 1.0) / product, 1 / free);
    // Fix the side that leaves its bounds the most; the others have to move before they are judged.
    std::size_t worst = dimensions;
    double worst_excess = 1 + 1e-9;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (fixed[d]) continue;
      sides[d] = unit * crossing[d];
      const double excess = std::max(sides[d] / to_double(extents[d]), 1 / sides[d]);
      if (excess <= worst_excess) continue;
      worst = d;
      worst_excess = excess;
    }
    if (worst == dimensions) return sides;
    sides[worst] = sides[worst] < 1 ? 1 : to_double(extents[worst]);
    fixed[worst] = true;
  }
}

}  // namespace halocline::place
