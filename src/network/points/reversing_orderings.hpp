// SPDX-License-Identifier: BSD-3-Clause
// The orderings that differ only in what they reverse: Z, Gray, and the paper's flipped Z and modified
// flipped Z (Algorithm 2). Where a region is cut in more than two pieces, the odd ones are treated as upper.
#pragma once

#include "network/points/orderings.hpp"

namespace halocline::network {

/// Reverses nothing.
[[nodiscard]] RegionView z_view(const RegionView& region, std::size_t dimension, Count piece,
                                std::size_t dimensions);
/// Reverses every dimension in upper pieces.
[[nodiscard]] RegionView gray_view(const RegionView& region, std::size_t dimension, Count piece,
                                   std::size_t dimensions);
/// Reverses the dimension of the cut in upper pieces.
[[nodiscard]] RegionView fz_view(const RegionView& region, std::size_t dimension, Count piece,
                                 std::size_t dimensions);
/// Reverses the dimension of the cut in lower pieces.
[[nodiscard]] RegionView mfz_view(const RegionView& region, std::size_t dimension, Count piece,
                                  std::size_t dimensions);

}  // namespace halocline::network
