// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/strip_widths.hpp"

#include "base/numbers.hpp"
#include "place/simple/ideal_box.hpp"

#include <algorithm>
#include <cmath>

namespace halocline::place {
namespace {

/// All widths of a range, or an even choice among them with those that divide the extent most evenly.
Counts widths_between(Count low, Count high, Count extent) {
  constexpr Count most = 20;
  Counts widths;
  const Count gap = (high - low) / most + 1;
  for (Count width = low; width <= high; width += gap) widths.push_back(width);
  if (gap == 1) return widths;
  for (const Count width : {low, (low + high) / 2, high}) {
    const Count parts = std::max(Count{1}, extent / width);
    widths.push_back(extent / parts);
    widths.push_back(extent / parts + (extent % parts > 0));
  }
  std::sort(widths.begin(), widths.end());
  widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
  return widths;
}

}  // namespace

WidthChoice widths_to_try(std::span<const double> crossing, std::span<const Count> extents, Count section,
                          std::span<const Count> sizes, const WidthRange& range, bool wraps) {
  constexpr double many_strips = 6;
  const Count extent = extents[0];
  std::vector<std::pair<Count, Count>> windows;
  Count lowest = extent, highest = 1;
  for (const Count size : sizes) {
    const double cells = std::max(ratio_of(size, section), 1.0);
    const double side = ideal_box(crossing, extents, cells)[0];
    double low = side / range.spread, high = side * range.spread;
    if (to_double(extent) > many_strips * side) {
      low = std::max(low, side - range.reach);
      high = std::min(high, side + range.reach);
    }
    windows.emplace_back(std::max(Count{1}, static_cast<Count>(std::floor(low))),
                         std::min(extent, static_cast<Count>(std::ceil(high))));
    lowest = std::min(lowest, windows.back().first);
    highest = std::max(highest, windows.back().second);
  }
  WidthChoice choice{widths_between(lowest, highest, extent), {}};
  if (wraps && sizes.back() / section >= extent && choice.tried.back() < extent)
    choice.tried.push_back(extent);
  const auto begin = choice.tried.begin(), end = choice.tried.end();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool all = wraps && sizes[i] / section >= extent;
    choice.by_size.emplace_back(std::lower_bound(begin, end, windows[i].first) - begin,
                                (all ? end : std::upper_bound(begin, end, windows[i].second)) - begin);
  }
  return choice;
}

}  // namespace halocline::place
