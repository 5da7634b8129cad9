// SPDX-License-Identifier: BSD-3-Clause
// The manual, out of what the commands declare.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace halocline::tools {

/// The page of the program, halocline(1), or of one of its commands, halocline-COMMAND(1), in roff.
[[nodiscard]] std::string man_page(const CLI::App& app);

}  // namespace halocline::tools
