// SPDX-License-Identifier: BSD-3-Clause
// The box between the outermost offsets: where all sums lie that an additive basis may need.
#pragma once

#include "base/index.hpp"
#include "halocline/base/count.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halocline::schedule {

/// Numbers the points of the smallest box around zero and all offsets, which are given one after the other.
class ReachableSums {
 public:
  static constexpr std::size_t most_points = std::size_t{1} << 24;

  ReachableSums(std::span<const Count> offsets, std::size_t dimensions);

  /// The number of points; 0 if there are more than most_points, and then nothing else may be asked.
  [[nodiscard]] std::size_t points() const { return points_; }

  /// @pre the point lies in the box
  [[nodiscard]] std::size_t index(std::span<const Count> point) const;
  [[nodiscard]] Counts point(std::size_t index) const;

  /// Calls visit(index of x, index of x + element) for every x in the box such that x + element is in it and
  /// the two have no opposite signs; each sum is visited before it takes the part of x. @pre element is not
  /// zero
  template <class Visit>
  void for_each_sum(std::span<const Count> element, const Visit& visit) const;

 private:
  Counts low_, high_;
  std::vector<std::ptrdiff_t> stride_;
  std::size_t points_ = 1;
};

template <class Visit>
void ReachableSums::for_each_sum(std::span<const Count> element, const Visit& visit) const {
  const std::size_t dimensions = low_.size(), last = dimensions - 1;
  Counts first(dimensions), count(dimensions);
  std::ptrdiff_t shift = 0, start = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    first[d] = element[d] > 0 ? 0 : low_[d] - element[d];
    const Count end = element[d] < 0 ? 0 : high_[d] - element[d];
    if (end < first[d]) return;
    count[d] = end - first[d] + 1;
    shift += element[d] * stride_[d];
  }
  // Sums lie behind their x if the shift is positive: go backwards then.
  const std::ptrdiff_t way = shift > 0 ? -1 : 1;
  for (std::size_t d = 0; d < dimensions; ++d)
    start += (first[d] - low_[d] + (shift > 0 ? count[d] - 1 : 0)) * stride_[d];
  Counts done(dimensions, 0);
  for (std::ptrdiff_t row = start;;) {
    for (Count i = 0; i < count[last]; ++i) {
      const std::ptrdiff_t x = row + way * i;
      visit(to_index(x), to_index(x + shift));
    }
    std::size_t d = last;
    for (;;) {
      if (d-- == 0) return;
      row += way * stride_[d];
      if (++done[d] < count[d]) break;
      row -= way * stride_[d] * count[d];
      done[d] = 0;
    }
  }
}

}  // namespace halocline::schedule
