// SPDX-License-Identifier: BSD-3-Clause
// Points whose coordinates are replaced by their ranks among the values of a dimension: selection then works
// on small integers, whatever the coordinates are.
#pragma once

#include "network/points/points.hpp"

#include <cstdint>
#include <vector>

namespace halocline::network {

/// One dimension of some points.
struct RankedColumn {
  std::vector<std::uint32_t> ranks;  ///< Of each point.
  std::vector<double> values;        ///< Of each rank, increasing.
};

/// O(n) for each dimension.
[[nodiscard]] std::vector<RankedColumn> ranked(const Points& points);

}  // namespace halocline::network
