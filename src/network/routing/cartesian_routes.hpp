// SPDX-License-Identifier: BSD-3-Clause
// Dimension-ordered routes of a mesh or torus.
#pragma once

#include "base/numbers.hpp"
#include "halocline/describe/network.hpp"

#include <algorithm>
#include <vector>

namespace halocline::network {

/// Links are numbered by dimension, then direction (up, down), then the router they leave.
class CartesianRoutes {
 public:
  explicit CartesianRoutes(const Network::Cartesian& network);

  [[nodiscard]] std::size_t dimensions() const { return network_.extents.size(); }
  [[nodiscard]] Count extent(std::size_t dimension) const { return network_.extents[dimension]; }
  [[nodiscard]] Count stride(std::size_t dimension) const { return strides_[dimension]; }
  [[nodiscard]] bool periodic(std::size_t dimension) const { return network_.periodicity[dimension]; }
  [[nodiscard]] Count routers() const { return routers_; }
  [[nodiscard]] Count router(Count node) const { return node / network_.hosts; }
  [[nodiscard]] Count coordinate(Count router, std::size_t dimension) const {
    return router / strides_[dimension] % network_.extents[dimension];
  }

  /// The steps from one coordinate to another, negative for down; the shorter way around.
  [[nodiscard]] Count steps(std::size_t dimension, Count from, Count to) const {
    Count steps = to - from;
    if (!periodic(dimension)) return steps;
    const Count all = extent(dimension);
    if (2 * steps > all) steps -= all;
    if (2 * steps <= -all) steps += all;
    return steps;
  }

  [[nodiscard]] Count links() const;
  [[nodiscard]] Count first_link(std::size_t dimension, bool down) const {
    return (2 * to_count(dimension) + (down ? 1 : 0)) * routers_;
  }
  [[nodiscard]] double bandwidth(Count link) const;

  [[nodiscard]] Count distance(Count from, Count to) const {
    Count sum = 0;
    const Count a = router(from);
    const Count b = router(to);
    for (std::size_t d = 0; d < dimensions(); ++d)
      sum += std::abs(steps(d, coordinate(a, d), coordinate(b, d)));
    return sum;
  }

  template <class Visit>
  void walk(Count from, Count to, const Visit& visit) const {
    Count here = router(from);
    const Count target = router(to);
    for (std::size_t d = 0; d < dimensions(); ++d) {
      Count x = coordinate(here, d);
      const Count way = steps(d, x, coordinate(target, d));
      const Count step = way < 0 ? -1 : 1;
      for (Count left = std::abs(way); left > 0; --left) {
        visit(first_link(d, way < 0) + here);
        const Count next = (x + step + extent(d)) % extent(d);
        here += (next - x) * stride(d);
        x = next;
      }
    }
  }

 private:
  Network::Cartesian network_;
  Counts strides_;  ///< Of routers.
  Count routers_ = 1;
};

}  // namespace halocline::network
