// The manual and the completion of the shell, out of what the commands declare.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace halocline::tools {

/// The page of the program, halocline(1), or of one of its commands, halocline-COMMAND(1), in roff.
[[nodiscard]] std::string man_page(const CLI::App& app);

/// A script for bash that completes the commands of the program, their options, and files elsewhere.
[[nodiscard]] std::string bash_completion(const CLI::App& program);

}  // namespace halocline::tools
