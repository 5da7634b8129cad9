// SPDX-License-Identifier: BSD-3-Clause
// The tables of docs/settings.md.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace halocline::tools {

/// Every setting in tables of Markdown, each below the heading of its section.
[[nodiscard]] std::string settings_page();
/// The same, an object for each setting.
[[nodiscard]] nlohmann::ordered_json settings_json();

}  // namespace halocline::tools
