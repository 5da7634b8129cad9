// The points of a field, halo included, and on which side of the own ones they lie.
#pragma once

#include "halocline/halo/field_view.hpp"

namespace halocline {

/// All points, in the order of C; the first own one is 0,0,...
template <class Visit>
void for_each_point(const Counts& extents, const HaloWidths& halo, const Visit& visit) {
  Cell point;
  for (const Count low : halo.low) point.push_back(-low);
  for (;;) {
    visit(point);
    std::size_t d = point.size();
    for (; d > 0; --d) {
      if (++point[d - 1] < extents[d - 1] + halo.high[d - 1]) break;
      point[d - 1] = -halo.low[d - 1];
    }
    if (d == 0) return;
  }
}

/// -1 or 1 in the halo before or behind `extent` own points, 0 between.
inline Count side_of(Count coordinate, Count extent) {
  return coordinate < 0 ? -1 : coordinate >= extent ? 1 : 0;
}

/// The same along each dimension: nothing but 0 for own points.
inline Offset side_of(const Cell& point, const Counts& extents) {
  Offset side;
  for (std::size_t d = 0; d < point.size(); ++d) side.push_back(side_of(point[d], extents[d]));
  return side;
}

}  // namespace halocline
