// SPDX-License-Identifier: BSD-3-Clause
// One HTML page that needs no network: the program that was bundled at build time, and what it shall show.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace halocline::tools {

/// Throws Error{unsupported} that names the option and says what to do if this tool was built without the
/// page.
void require_page(const char* option, const std::string& path);

/// The page that shows this, and says of which version it is. @pre require_page
[[nodiscard]] std::string filled_page(nlohmann::ordered_json shown);

}  // namespace halocline::tools
