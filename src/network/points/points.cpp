// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/points.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <cmath>
#include <limits>

namespace halocline {
namespace {

constexpr auto most_points = to_size(std::numeric_limits<std::int32_t>::max());

void require_dimensions(std::size_t dimensions) {
  if (dimensions < 1 || dimensions > Points::most_dimensions)
    fail(Fault::invalid_dimensions, "points of ", dimensions, " dimensions; there must be 1..",
         Points::most_dimensions);
}

}  // namespace

Points::Points(std::vector<std::vector<double>> columns) : columns_(std::move(columns)) {
  require_dimensions(columns_.size());
  require(!columns_.front().empty(), "there are no points; it takes at least one");
  require(size() <= most_points, size(), " points are too many; there may be ", most_points);
  for (std::size_t d = 0; d < dimensions(); ++d) {
    if (column(d).size() != size())
      fail(Fault::invalid_dimensions, "dimension ", d, " has ", column(d).size(), " coordinates for ", size(),
           " points");
    for (std::size_t i = 0; i < size(); ++i)
      require(std::isfinite(at(i, d)), "coordinate ", d, " of point ", i, " is ", at(i, d),
              ", which is not finite");
  }
}

Points Points::interleaved(std::size_t dimensions, std::span<const double> coordinates) {
  require_dimensions(dimensions);
  if (coordinates.size() % dimensions != 0)
    fail(Fault::invalid_dimensions, coordinates.size(), " coordinates do not make points of ", dimensions,
         " dimensions; it takes a multiple");
  const std::size_t size = coordinates.size() / dimensions;
  std::vector<std::vector<double>> columns(dimensions, std::vector<double>(size));
  for (std::size_t d = 0; d < dimensions; ++d)
    for (std::size_t i = 0; i < size; ++i) columns[d][i] = coordinates[i * dimensions + d];
  return Points(std::move(columns));
}

Points Points::of_grid(const Grid& grid) {
  require_dimensions(grid.dimensions());
  const auto size = to_size(grid.size());
  require(size <= most_points, "a grid of ", size, " cells has too many points; there may be ", most_points);
  std::vector<std::vector<double>> columns(grid.dimensions());
  std::size_t stride = size;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const auto extent = to_size(grid.extents()[d]);
    stride /= extent;
    columns[d].reserve(size);
    while (columns[d].size() < size)
      for (std::size_t x = 0; x < extent; ++x) columns[d].insert(columns[d].end(), stride, to_double(x));
  }
  return Points(std::move(columns));
}

Points Points::only(std::span<const Count> numbers) const {
  std::vector<std::vector<double>> columns(dimensions(), std::vector<double>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require(0 <= numbers[i] && numbers[i] < to_count(size()), "point ", numbers[i], " is not in 0..",
            size() - 1);
    for (std::size_t d = 0; d < dimensions(); ++d) columns[d][i] = at(to_index(numbers[i]), d);
  }
  return Points(std::move(columns));
}

Points Points::with_dimensions(std::span<const std::size_t> dimensions) const {
  require(!dimensions.empty(), "no dimension of the points is left; it takes at least one");
  std::vector<std::vector<double>> columns;
  for (const std::size_t d : dimensions) {
    require(d < columns_.size(), "dimension ", d, " is not in 0..", columns_.size() - 1);
    columns.push_back(columns_[d]);
  }
  return Points(std::move(columns));
}

}  // namespace halocline
