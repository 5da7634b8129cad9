// SPDX-License-Identifier: BSD-3-Clause
// Multi-Jagged partitioning of points: sections 4.1 and 4.3 of "Exploiting Geometric Partitioning in Task
// Mapping for Parallel Computers".
#pragma once

#include "network/points/orderings.hpp"
#include "network/points/points.hpp"

#include <span>
#include <string>

namespace halocline::network {

/// How points are cut into parts: level by level, each region in several pieces along one dimension.
struct Cuts {
  enum class Dimension {
    longest,  ///< In which the region's own points reach farthest; the last one of equals.
    cyclic,   ///< The last one first, then the one before, and so on around; but one with some extent.
  };
  Dimension dimension = Dimension::longest;

  /// Bisection of p * q parts, p their largest prime divisor, into ceil(p/2) * q and floor(p/2) * q: groups
  /// of parts (the cores of a node) are not torn apart early. Otherwise into halves.
  bool largest_prime = false;

  /// Levels of the recursion; 0 stands for bisection all the way. Regions of one level are cut into about as
  /// many pieces each.
  Count depth = 0;

  /// The pieces on each level; their product is the number of parts. None: as `depth` says.
  Counts pieces = {};

  bool operator==(const Cuts&) const = default;
};

/// The part of each point, 0..parts - 1, numbered by the ordering.
///
/// Every part gets floor(n / parts) or ceil(n / parts) points. With `weights` (one a point) each cut is put
/// where the weights come closest to their share, but so that no part is left empty. Points that agree in the
/// dimension of a cut are told apart by the other dimensions, the one before first, then by their numbers.
/// The same input gives the same result everywhere. Costs O(n d log parts), with weights O(n log n log
/// parts).
///
/// Throws Error{invalid_argument} for fewer than 1 part or more than points, a negative depth, pieces below 1
/// or whose product is not the number of parts, weights that do not match the points in number or are not
/// positive and finite; Error{unsupported} for more than bisection with an ordering that cuts in two.
[[nodiscard]] Counts partition(const Points& points, Count parts, const Ordering& ordering,
                               const Cuts& cuts = {}, std::span<const double> weights = {});

}  // namespace halocline::network
