// SPDX-License-Identifier: BSD-3-Clause
// Grids with many dimensions of one cell, seen without them.
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

#include <optional>
#include <vector>

namespace halocline::place {

/// The same problem without the dimensions of one cell, but for the first of them. Cells keep their numbers.
struct FewerDimensions {
  Problem problem;
  std::vector<std::size_t> kept;

  /// None if there are not two such dimensions, or if nothing is sent.
  [[nodiscard]] static std::optional<FewerDimensions> of(const Problem& whole);
  /// The placement of the whole grid that belongs to one of the smaller problem.
  [[nodiscard]] Placement back(const Grid& whole, const Placement& placement) const;
};

}  // namespace halocline::place
