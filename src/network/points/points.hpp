// SPDX-License-Identifier: BSD-3-Clause
// Points in space: where tasks are in the application, where cores are in the machine.
#pragma once

#include "halocline/describe/grid.hpp"

#include <span>
#include <vector>

namespace halocline {

/// Finite coordinates of some points, dimension by dimension.
class Points {
 public:
  /// The most dimensions points may have.
  static constexpr std::size_t most_dimensions = 64;

  /// One list of coordinates a dimension. Throws Error{invalid_dimensions} for no dimension at all, more than
  /// most_dimensions, or lists of different lengths; Error{invalid_argument} for no points, more than
  /// 2^31 - 1, or a coordinate that is not finite.
  explicit Points(std::vector<std::vector<double>> columns);

  /// The coordinates one point after the other, as programs hold them. Throws as above, and
  /// Error{invalid_dimensions} if their number is no multiple of `dimensions`.
  [[nodiscard]] static Points interleaved(std::size_t dimensions, std::span<const double> coordinates);

  /// The cells of a grid, row by row. Throws as above.
  [[nodiscard]] static Points of_grid(const Grid& grid);

  [[nodiscard]] std::size_t size() const { return columns_.front().size(); }
  [[nodiscard]] std::size_t dimensions() const { return columns_.size(); }
  [[nodiscard]] const std::vector<double>& column(std::size_t dimension) const { return columns_[dimension]; }
  [[nodiscard]] double at(std::size_t point, std::size_t dimension) const {
    return columns_[dimension][point];
  }

  /// The points with these numbers, in this order. Throws Error{invalid_argument} for none, or one that is
  /// not there.
  [[nodiscard]] Points only(std::span<const Count> numbers) const;
  /// The same points with only these dimensions, in this order. Throws Error{invalid_argument} for none, or
  /// one that is not there.
  [[nodiscard]] Points with_dimensions(std::span<const std::size_t> dimensions) const;

  bool operator==(const Points&) const = default;

 private:
  std::vector<std::vector<double>> columns_;
};

}  // namespace halocline
