// SPDX-License-Identifier: BSD-3-Clause
// A placement as a picture, for people who would rather look.
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

#include <string>
#include <string_view>

namespace halocline::tools {

/// An SVG image of the grid with a square for each cell, coloured by node, and a line wherever two nodes
/// meet, under a title with the name of the algorithm and what the placement costs. The last two dimensions
/// span a panel; the others are shown as panels side by side, row by row.
/// Throws Error{unsupported} for more than a million cells.
[[nodiscard]] std::string place_picture(const place::Problem& problem, const Placement& placement,
                                        std::string_view algorithm);

}  // namespace halocline::tools
