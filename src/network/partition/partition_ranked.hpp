// SPDX-License-Identifier: BSD-3-Clause
// Partitioning of points whose coordinates are ranked already, with their dimensions in any order: so that
// many rotations of the same points are ranked once.
#pragma once

#include "network/partition/partition.hpp"
#include "network/points/ranked_points.hpp"

#include <cstdint>
#include <vector>

namespace halocline::network {

/// The part of each point, as partition(). `dimensions` are those of the points, in the order in which the
/// partition shall see them. Throws as partition().
[[nodiscard]] std::vector<std::uint32_t> partition_ranked(const std::vector<RankedColumn>& points,
                                                          std::span<const std::size_t> dimensions,
                                                          Count parts, const Ordering& ordering,
                                                          const Cuts& cuts,
                                                          std::span<const double> weights = {});

}  // namespace halocline::network
