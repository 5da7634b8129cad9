// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/decomposition.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline {
namespace {

Runs even_slabs(Count points, Count slabs) {
  Runs extents;
  // The largest number of points has no successor, and is left over by nobody.
  if (const Count larger = points % slabs; larger > 0) extents.append(points / slabs + 1, larger);
  extents.append(points / slabs, slabs - points % slabs);
  return extents;
}

std::vector<Runs> even_slabs(const Mesh& mesh, const Grid& grid) {
  if (mesh.dimensions() != grid.dimensions() || mesh.periodicity() != grid.periodicity())
    fail(Fault::invalid_dimensions, "the mesh ", mesh.to_text(), " does not go with the process grid ",
         grid.to_text(), "; both need the same number of dimensions, periodic alike");
  std::vector<Runs> slabs;
  for (std::size_t d = 0; d < mesh.dimensions(); ++d) {
    const Count points = mesh.extents()[d], processes = grid.extents()[d];
    if (points < processes)
      fail(Fault::invalid_dimensions, "dimension ", d, " of the mesh has ", points, " points for ", processes,
           " processes; each needs one at least");
    slabs.push_back(even_slabs(points, processes));
  }
  return slabs;
}

std::vector<Runs> given_slabs(const Grid& grid, const std::vector<Counts>& slabs) {
  if (slabs.size() != grid.dimensions())
    fail(Fault::invalid_dimensions, "slabs along ", slabs.size(), " dimensions; the process grid ",
         grid.to_text(), " has ", grid.dimensions());
  std::vector<Runs> runs(slabs.size());
  for (std::size_t d = 0; d < slabs.size(); ++d) {
    if (count_of(slabs[d]) != grid.extents()[d])
      fail(Fault::invalid_dimensions, slabs[d].size(), " slabs along dimension ", d, "; the process grid ",
           grid.to_text(), " needs ", grid.extents()[d]);
    for (const Count extent : slabs[d]) {
      if (extent < 1)
        fail(Fault::invalid_dimensions, "a slab of ", extent, " points along dimension ", d,
             "; each needs one at least");
      runs[d].append(extent);
    }
  }
  return runs;
}

Mesh mesh_of(const std::vector<Runs>& slabs, const Periodicity& periodicity) {
  Counts extents;
  for (const Runs& along : slabs) extents.push_back(along.total());
  return Mesh(std::move(extents), periodicity);
}

}  // namespace

Decomposition::Decomposition(const Mesh& mesh, const Grid& grid)
    : grid_(grid), slabs_(even_slabs(mesh, grid)), mesh_(mesh) {}

Decomposition::Decomposition(const Grid& grid, const std::vector<Counts>& slabs)
    : grid_(grid), slabs_(given_slabs(grid, slabs)), mesh_(mesh_of(slabs_, grid.periodicity())) {}

Box Decomposition::box(const Cell& cell) const {
  Box box;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    box.first.push_back(slabs_[d].start(cell[d]));
    box.extents.push_back(extent(d, cell[d]));
  }
  return box;
}

Count Decomposition::extent(std::size_t dimension, Count i) const { return slabs_[dimension][i]; }

Count Decomposition::largest_extent(std::size_t dimension) const {
  Count largest = 0;
  for (const Run& run : slabs_[dimension].runs()) largest = std::max(largest, run.value);
  return largest;
}

Count Decomposition::least_extent(std::size_t dimension) const {
  Count least = extent(dimension, 0);
  for (const Run& run : slabs_[dimension].runs()) least = std::min(least, run.value);
  return least;
}

std::vector<Counts> Decomposition::slabs() const {
  std::vector<Counts> slabs(slabs_.size());
  for (std::size_t d = 0; d < slabs_.size(); ++d)
    for (const Run& run : slabs_[d].runs()) slabs[d].insert(slabs[d].end(), to_size(run.repeats), run.value);
  return slabs;
}

Cell Decomposition::owner(const Cell& point) const {
  Cell cell;
  for (std::size_t d = 0; d < point.size(); ++d) cell.push_back(slabs_[d].find(point[d]));
  return cell;
}

bool Decomposition::even() const {
  return std::all_of(slabs_.begin(), slabs_.end(), [](const Runs& along) { return along.uniform(); });
}

}  // namespace halocline
