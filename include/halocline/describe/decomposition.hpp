// SPDX-License-Identifier: BSD-3-Clause
// Which points of the mesh each process of a grid owns.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/mesh.hpp"
#include "halocline/describe/runs.hpp"

#include <vector>

namespace halocline {

/// A box of mesh points.
struct Box {
  Cell first;
  Counts extents;
  bool operator==(const Box&) const = default;
};

/// The mesh cut along each dimension into as many slabs as the process grid has there. Sizes may differ from
/// slab to slab, and every process owns at least one point. An immutable value, which takes memory for runs
/// of equal slabs.
class HALOCLINE_API Decomposition {
 public:
  /// As even as it can be: of n points over p slabs the first n mod p get one more than the others.
  /// Throws Error{invalid_dimensions} if the grid has another dimension or other periodic dimensions than the
  /// mesh, or more processes than points along a dimension.
  Decomposition(const Mesh& mesh, const Grid& grid);
  /// `slabs[d][i]` points for the processes at coordinate i of dimension d.
  /// Throws Error{invalid_dimensions} if the slabs are not as many as the grid has, or one is empty.
  Decomposition(const Grid& grid, const std::vector<Counts>& slabs);

  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }

  /// What the process at `cell` owns. @pre the cell is in the grid
  [[nodiscard]] Box box(const Cell& cell) const;
  /// The points of the slab at coordinate `i` of `dimension`.
  [[nodiscard]] Count extent(std::size_t dimension, Count i) const;
  /// Of all slabs along a dimension.
  [[nodiscard]] Count largest_extent(std::size_t dimension) const;
  [[nodiscard]] Count least_extent(std::size_t dimension) const;
  /// What the second constructor takes.
  [[nodiscard]] std::vector<Counts> slabs() const;
  /// The process that owns `point`. @pre the point is in the mesh
  [[nodiscard]] Cell owner(const Cell& point) const;
  /// Do all processes own boxes of the same extents?
  [[nodiscard]] bool even() const;

  bool operator==(const Decomposition&) const = default;

 private:
  Grid grid_;
  std::vector<Runs> slabs_;  ///< For each dimension: their points.
  Mesh mesh_;
};

}  // namespace halocline
