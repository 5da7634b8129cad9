// SPDX-License-Identifier: BSD-3-Clause
// The renumbering follows Niethammer and Rabenseifner, "Topology aware Cartesian grid mapping with MPI",
// EuroMPI 2018, appendix: a coordinate is a number whose digits are the coordinates on each level.

#include "shape/shape.hpp"

#include <utility>

namespace halocline {

Counts Shape::dims() const {
  Counts product(dimensions(), 1);
  for (const Counts& factors : levels)
    for (std::size_t d = 0; d < product.size(); ++d) product[d] *= factors[d];
  return product;
}

Grid Shape::grid(Periodicity periodicity) const { return Grid(dims(), std::move(periodicity)); }

Cell Shape::cell(Rank rank) const {
  Cell cell(dimensions(), 0);
  Counts place(dimensions(), 1);  // what one step on the current level is worth
  for (std::size_t level = levels.size(); level-- > 0;)
    for (std::size_t d = dimensions(); d-- > 0;) {
      const Count factor = levels[level][d];
      cell[d] += place[d] * (rank % factor);
      rank /= factor;
      place[d] *= factor;
    }
  return cell;
}

Rank Shape::rank(std::span<const Count> cell) const {
  Counts place = dims();
  Counts rest(cell.begin(), cell.end());
  Rank rank = 0;
  for (const Counts& factors : levels)
    for (std::size_t d = 0; d < factors.size(); ++d) {
      place[d] /= factors[d];
      rank = rank * factors[d] + rest[d] / place[d];
      rest[d] %= place[d];
    }
  return rank;
}

}  // namespace halocline
