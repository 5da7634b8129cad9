// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/decomposition.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline {
namespace {

Counts even_slabs(Count points, Count slabs) {
  Counts extents(static_cast<std::size_t>(slabs), points / slabs);
  // The largest number of points has no successor, and is left over by nobody.
  if (const Count larger = points % slabs; larger > 0)
    std::fill_n(extents.begin(), larger, points / slabs + 1);
  return extents;
}

std::vector<Counts> even_slabs(const Mesh& mesh, const Grid& grid) {
  if (mesh.dimensions() != grid.dimensions() || mesh.periodicity() != grid.periodicity())
    fail(Fault::invalid_dimensions, "the mesh ", mesh.to_text(), " does not go with the process grid ",
         grid.to_text(), "; both need the same number of dimensions, periodic alike");
  std::vector<Counts> slabs;
  for (std::size_t d = 0; d < mesh.dimensions(); ++d) {
    const Count points = mesh.extents()[d], processes = grid.extents()[d];
    if (points < processes)
      fail(Fault::invalid_dimensions, "dimension ", d, " of the mesh has ", points, " points for ", processes,
           " processes; each needs one at least");
    slabs.push_back(even_slabs(points, processes));
  }
  return slabs;
}

std::vector<Counts> bounds_of(const Grid& grid, const std::vector<Counts>& slabs) {
  if (slabs.size() != grid.dimensions())
    fail(Fault::invalid_dimensions, "slabs along ", slabs.size(), " dimensions; the process grid ",
         grid.to_text(), " has ", grid.dimensions());
  std::vector<Counts> bounds;
  for (std::size_t d = 0; d < slabs.size(); ++d) {
    if (static_cast<Count>(slabs[d].size()) != grid.extents()[d])
      fail(Fault::invalid_dimensions, slabs[d].size(), " slabs along dimension ", d, "; the process grid ",
           grid.to_text(), " needs ", grid.extents()[d]);
    Counts& ends = bounds.emplace_back(1, 0);
    for (const Count extent : slabs[d]) {
      if (extent < 1)
        fail(Fault::invalid_dimensions, "a slab of ", extent, " points along dimension ", d,
             "; each needs one at least");
      ends.push_back(checked_add(ends.back(), extent));
    }
  }
  return bounds;
}

Mesh mesh_of(const std::vector<Counts>& bounds, const Periodicity& periodicity) {
  Counts extents;
  for (const Counts& ends : bounds) extents.push_back(ends.back());
  return Mesh(std::move(extents), periodicity);
}

}  // namespace

Decomposition::Decomposition(const Mesh& mesh, const Grid& grid)
    : Decomposition(grid, even_slabs(mesh, grid)) {}

Decomposition::Decomposition(const Grid& grid, const std::vector<Counts>& slabs)
    : grid_(grid), bounds_(bounds_of(grid, slabs)), mesh_(mesh_of(bounds_, grid.periodicity())) {}

Box Decomposition::box(const Cell& cell) const {
  Box box;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    box.first.push_back(bounds_[d][to_index(cell[d])]);
    box.extents.push_back(extent(d, cell[d]));
  }
  return box;
}

Count Decomposition::extent(std::size_t dimension, Count i) const {
  const Counts& bounds = bounds_[dimension];
  return bounds[to_index(i) + 1] - bounds[to_index(i)];
}

Count Decomposition::largest_extent(std::size_t dimension) const {
  Count largest = 0;
  for (Count i = 0; i < grid_.extents()[dimension]; ++i) largest = std::max(largest, extent(dimension, i));
  return largest;
}

Count Decomposition::least_extent(std::size_t dimension) const {
  Count least = extent(dimension, 0);
  for (Count i = 1; i < grid_.extents()[dimension]; ++i) least = std::min(least, extent(dimension, i));
  return least;
}

std::vector<Counts> Decomposition::slabs() const {
  std::vector<Counts> slabs(bounds_.size());
  for (std::size_t d = 0; d < bounds_.size(); ++d)
    for (Count i = 0; i < grid_.extents()[d]; ++i) slabs[d].push_back(extent(d, i));
  return slabs;
}

Cell Decomposition::owner(const Cell& point) const {
  Cell cell;
  for (std::size_t d = 0; d < point.size(); ++d) {
    const Counts& bounds = bounds_[d];
    cell.push_back(std::upper_bound(bounds.begin(), bounds.end(), point[d]) - bounds.begin() - 1);
  }
  return cell;
}

bool Decomposition::even() const {
  for (std::size_t d = 0; d < bounds_.size(); ++d)
    for (Count i = 1; i < grid_.extents()[d]; ++i)
      if (extent(d, i) != extent(d, 0)) return false;
  return true;
}

}  // namespace halocline
