// A plan as one HTML page that needs no network: charts, process grids to be turned, and the numbers behind
// them.
#pragma once

#include "halocline/plan/plan.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace halocline::tools {

/// Throws Error{unsupported} that names the option and says what to do if this tool was built without the
/// page.
void require_page(const char* option, const std::string& path);

/// The page for a plan whose report, as `halocline plan --json` prints it, is `report`. Cells beyond 2^17 are
/// shown in blocks, nodes beyond 512 in groups, so that the page stays below some megabytes.
/// @pre require_page
[[nodiscard]] std::string plan_page(const nlohmann::ordered_json& report, const plan::Problem& problem,
                                    const plan::Explanation& both, const LevelCosts& prices);

}  // namespace halocline::tools
