// SPDX-License-Identifier: BSD-3-Clause
// What is behind a placement.
#pragma once

#include "base/inside.hpp"
#include "halocline/place/placement.hpp"

#include <span>

namespace halocline {

/// Implemented by the algorithms.
class HALOCLINE_INSIDE Placement::Rule {
 public:
  Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;
  virtual ~Rule() = default;

  /// Writes the cell of `rank`. @pre the rank lies in the grid; `cell` has one entry a dimension
  virtual void locate(Rank rank, std::span<Count> cell) const = 0;
  /// The rank that owns `cell`. @pre the cell lies in the grid
  [[nodiscard]] virtual Rank owner(std::span<const Count> cell) const = 0;
  /// The owners of the cells number first, first + 1, ... of the grid, row by row.
  virtual void owners(const Grid& grid, Count first, std::span<Rank> ranks) const;
};

}  // namespace halocline
