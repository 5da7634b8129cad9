// SPDX-License-Identifier: BSD-3-Clause
// A plan as one HTML page that needs no network: charts, process grids to be turned, and the numbers behind
// them.
#pragma once

#include "halocline/plan/explanation.hpp"

#include <string>

namespace halocline::tools {

/// The page for a plan. Cells beyond 2^17 are shown in blocks, nodes beyond 512 in groups, so that the page
/// stays below some megabytes. @pre require_page
[[nodiscard]] std::string plan_page(const plan::Explanation& both);

}  // namespace halocline::tools
