// SPDX-License-Identifier: BSD-3-Clause
// The result of the shape stage: how many parts each level of the machine makes of each dimension.
#pragma once

#include "halocline/describe/grid.hpp"

#include <span>
#include <vector>

namespace halocline {

/// A process grid put together level by level: the factors of level 0 cut the mesh into one box for each
/// node, those of level 1 cut each of these, and so on. A grid without levels has just one.
///
/// It comes with a numbering: ranks in node-sorted order (consecutive ones share the innermost groups) take
/// the cells so that each group of each level is a box, after the paper's appendix.
struct Shape {
  std::vector<Counts> levels;  ///< Factors, outermost level first, one for each dimension. None is empty.

  [[nodiscard]] std::size_t dimensions() const { return levels.front().size(); }
  /// The extents of the grid: the product of the factors over all levels.
  [[nodiscard]] Counts dims() const;
  /// The grid of these extents. Throws Error{invalid_dimensions} as Grid does.
  [[nodiscard]] Grid grid(Periodicity periodicity = {}) const;

  /// The cell of a rank in node-sorted order and back; inverse to each other, O(levels * dimensions).
  /// @pre 0 <= rank < the number of cells; the cell lies in the grid
  [[nodiscard]] Cell cell(Rank rank) const;
  [[nodiscard]] Rank rank(std::span<const Count> cell) const;

  bool operator==(const Shape&) const = default;
};

}  // namespace halocline
