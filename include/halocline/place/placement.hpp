// SPDX-License-Identifier: BSD-3-Clause
// The result of placing: which process owns which cell of the grid.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/grid.hpp"

#include <memory>
#include <span>

namespace halocline {

/// A bijection between the ranks of the node-sorted order and the cells of a grid, computed by each process
/// alone. An immutable value, cheap to copy, safe to read from several threads.
class HALOCLINE_API Placement {
 public:
  class Rule;  ///< Of the implementation.
  Placement(Grid grid, std::shared_ptr<const Rule> rule) : grid_(std::move(grid)), rule_(std::move(rule)) {}

  [[nodiscard]] const Grid& grid() const { return grid_; }

  /// The cell of a rank; the second form allocates nothing. Throw Error{invalid_argument} for a rank outside
  /// the grid or a `cell` without one entry a dimension.
  [[nodiscard]] Cell cell(Rank rank) const;
  void cell(Rank rank, std::span<Count> cell) const;

  /// The rank that owns a cell. Throws Error{invalid_argument} for a cell outside the grid.
  [[nodiscard]] Rank rank(std::span<const Count> cell) const;
  [[nodiscard]] Rank rank(std::initializer_list<Count> cell) const {
    return rank(std::span<const Count>(cell.begin(), cell.size()));
  }

  /// The owners of the cells number first, first + 1, ... row by row: many at once cost less than one by one.
  /// Throws Error{invalid_argument} if they do not all lie in the grid.
  void ranks(Count first, std::span<Rank> ranks) const;

 private:
  void check_components(std::size_t components) const;

  Grid grid_;
  std::shared_ptr<const Rule> rule_;
};

}  // namespace halocline
