// Points of staggered fields by their coordinates: which a process has, and which of them it owns.
#pragma once

#include "exchange/scattered_block.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/halo/field_view.hpp"

#include <algorithm>
#include <vector>

namespace halocline {

/// Dimensions along which a field has one point more than there are cells.
using Staggered = std::vector<std::size_t>;

inline bool is_staggered(const Staggered& staggered, std::size_t dimension) {
  return std::find(staggered.begin(), staggered.end(), dimension) != staggered.end();
}

/// None, one, some or all, in any order.
inline Staggered random_staggered(std::size_t dimensions, Random& random) {
  Staggered some;
  if (coin(random)) return some;
  for (const std::size_t d : shuffled(dimensions, random))
    if (coin(random)) some.push_back(d);
  return some;
}

/// All points of a process between its halos.
inline Counts local_points(const Decomposition& decomposition, const Cell& cell, const Staggered& staggered) {
  Counts points = decomposition.box(cell).extents;
  for (const std::size_t d : staggered) ++points[d];
  return points;
}

/// Those that it owns: each point of the mesh has one owner.
inline Counts owned_points(const Decomposition& decomposition, const Cell& cell, const Staggered& staggered) {
  Counts points = decomposition.box(cell).extents;
  for (const std::size_t d : staggered)
    if (!decomposition.grid().periodic(d) && cell[d] == decomposition.grid().extents()[d] - 1) ++points[d];
  return points;
}

/// Points of the mesh along a dimension.
inline Count mesh_points(const Mesh& mesh, const Staggered& staggered, std::size_t d) {
  return mesh.extents()[d] + (is_staggered(staggered, d) && !mesh.periodic(d) ? 1 : 0);
}

/// As wide as the halo of a staggered field may be: the shared point comes with it.
inline void narrow(HaloWidths& halo, const Ground& ground, const Staggered& staggered) {
  const Grid& grid = ground.decomposition.grid();
  for (const std::size_t d : staggered)
    if (grid.extents()[d] > 1 || grid.periodic(d)) halo.high[d] = std::min(halo.high[d], ground.widest - 1);
}

}  // namespace halocline
