// SPDX-License-Identifier: BSD-3-Clause
// The order of the cells of a strip whose rows climb: with wide stencils along one diagonal, such as octants,
// nodes with slanted ends are cut by fewer messages. At the two ends of the strip rows are cut off.
#pragma once

#include "base/index.hpp"
#include "halocline/base/count.hpp"

#include <span>

namespace halocline::place {

/// How far each level's first column lies above its last: `quarters` of a row from one cell to the next.
/// @pre column numbers count level 0 fastest
[[nodiscard]] Count row_shift(std::span<const Count> widths, std::span<const Count> quarters, Count column);
/// The sum of the shifts of all columns.
[[nodiscard]] Count total_row_shift(std::span<const Count> widths, std::span<const Count> quarters);

/// A strip of `length` cells along and a section of the given widths. Row t holds the cells t + shift(column)
/// along. A look-up takes O(1) in the middle of the strip and O(section log length) at its ends.
class SlantedRows {
 public:
  struct Place {
    Count along, column;
  };

  SlantedRows(std::span<const Count> widths, std::span<const Count> quarters, Count length);

  [[nodiscard]] Count position(const Place& place) const;
  [[nodiscard]] Place place(Count position) const;

  /// How many cells of a column, counted from this place on, follow each other at distances of a whole row:
  /// onwards, or backwards. At least the place itself.
  [[nodiscard]] Count even_cells(const Place& place, bool backwards) const;

 private:
  [[nodiscard]] Count row_of(const Place& place) const {
    return place.along - shifts_[to_index(place.column)];
  }
  /// The cells in rows before `row`, and in that row in columns before `column`.
  [[nodiscard]] Count cells_before(Count row, Count column) const;
  /// Is no column of this row and the next cut off?
  [[nodiscard]] bool in_the_middle(Count row) const { return 0 <= row && row + largest_shift_ < length_; }

  Count length_, cells_ = 1, largest_shift_, total_shift_;
  Counts shifts_;  ///< Of each column.
};

}  // namespace halocline::place
