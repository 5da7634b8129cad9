// SPDX-License-Identifier: BSD-3-Clause
// Which widths of strips and slabs are worth a try: those near the sides of the ideal box of a node's size.
#pragma once

#include "halocline/base/count.hpp"

#include <span>
#include <utility>
#include <vector>

namespace halocline::place {

/// How far widths may be from the ideal side.
struct WidthRange {
  double spread;  ///< From side / spread to side * spread,
  double reach;   ///< and not further than this where there are many strips, which make up for each other.
};

struct WidthChoice {
  Counts tried;                                              ///< Increasing.
  std::vector<std::pair<std::size_t, std::size_t>> by_size;  ///< For each size of nodes: a range of `tried`.
};

/// The widths to try across the first of `extents` for nodes of the given sizes, inside a slab of which each
/// layer holds `section` cells. crossing[d]: the weight that crosses a unit of surface. Where the extent
/// wraps around, a node large enough may also take all of it.
[[nodiscard]] WidthChoice widths_to_try(std::span<const double> crossing, std::span<const Count> extents,
                                        Count section, std::span<const Count> sizes, const WidthRange& range,
                                        bool wraps);

}  // namespace halocline::place
