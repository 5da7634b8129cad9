// SPDX-License-Identifier: BSD-3-Clause
// The Hilbert curve of any dimension, after Butz, in the form of Hamilton, "Compact Hilbert Indices",
// Dalhousie University CS-2006-07: a cube is entered at a corner and left along a direction. One cube of the
// curve is d bisections here, so that the curve works on points and on any number of parts.
#pragma once

#include "network/points/orderings.hpp"

namespace halocline::network {

[[nodiscard]] RegionView hilbert_view(const RegionView& region, std::size_t dimension, Count piece,
                                      std::size_t dimensions);
[[nodiscard]] std::size_t hilbert_dimension(const RegionView& region, std::size_t dimensions);

}  // namespace halocline::network
