// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/base/count.hpp"

#include <span>
#include <vector>

namespace halocline::place {

/// The sides of the box of `cells` cells with the least surface, where a unit of surface across dimension d
/// costs crossing[d]. No side exceeds its extent or falls below 1.
[[nodiscard]] std::vector<double> ideal_box(std::span<const double> crossing, std::span<const Count> extents,
                                            double cells);

}  // namespace halocline::place
