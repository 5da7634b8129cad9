// SPDX-License-Identifier: BSD-3-Clause
// Libraries that the program does not link but uses when they are asked for.
#pragma once

#include <filesystem>
#include <string>

namespace halocline::tools {

/// The file of that name beside the program, as in a build, or in the library folder of where it was
/// installed. Throws Error{unsupported} that names both and ends with `remedy` if there is none.
[[nodiscard]] std::filesystem::path own_library(const std::string& name, const std::string& remedy = "");

}  // namespace halocline::tools
