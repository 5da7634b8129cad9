// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/slanted_rows.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::place {

Count row_shift(std::span<const Count> widths, std::span<const Count> quarters, Count column) {
  Count shift = 0;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    shift += quarters[j] * (widths[j] - 1 - column % widths[j]) / 4;
    column /= widths[j];
  }
  return shift;
}

Count total_row_shift(std::span<const Count> widths, std::span<const Count> quarters) {
  Count cells = 1, total = 0;
  for (const Count width : widths) cells *= width;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    Count sum = 0;
    for (Count x = 0; x < widths[j]; ++x) sum += quarters[j] * x / 4;
    total += sum * (cells / widths[j]);
  }
  return total;
}

SlantedRows::SlantedRows(std::span<const Count> widths, std::span<const Count> quarters, Count length)
    : length_(length),
      largest_shift_(row_shift(widths, quarters, 0)),
      total_shift_(total_row_shift(widths, quarters)) {
  for (const Count width : widths) cells_ *= width;
  shifts_.reserve(to_size(cells_));
  for (Count column = 0; column < cells_; ++column) shifts_.push_back(row_shift(widths, quarters, column));
}

Count SlantedRows::cells_before(Count row, Count column) const {
  if (in_the_middle(row)) return row * cells_ + total_shift_ + column;
  Count cells = 0;
  for (Count c = 0; c < cells_; ++c)
    cells += std::clamp(row + shifts_[to_index(c)] + (c < column), Count{0}, length_);
  return cells;
}

Count SlantedRows::position(const Place& place) const { return cells_before(row_of(place), place.column); }

Count SlantedRows::even_cells(const Place& place, bool backwards) const {
  const Count row = row_of(place);
  if (!in_the_middle(row)) return 1;
  return backwards ? row + 1 : length_ - largest_shift_ - row;
}

SlantedRows::Place SlantedRows::place(Count position) const {
  const Count above = position - total_shift_, guess = (above - floor_modulo(above, cells_)) / cells_;
  if (in_the_middle(guess)) {
    const Count column = above - guess * cells_;
    return {guess + shifts_[to_index(column)], column};
  }
  Count low = -largest_shift_, high = length_;  // the row is in [low, high)
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (cells_before(middle, 0) <= position ? low : high) = middle;
  }
  Count left = position - cells_before(low, 0);
  for (Count column = 0;; ++column) {
    const Count along = low + shifts_[to_index(column)];
    if (0 <= along && along < length_ && left-- == 0) return {along, column};
  }
}

}  // namespace halocline::place
