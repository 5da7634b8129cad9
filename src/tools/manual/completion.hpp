// SPDX-License-Identifier: BSD-3-Clause
// Completion for shells, out of what the commands declare.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace halocline::tools {

/// A script for bash, zsh or fish that completes the commands of the program, their options, and files
/// elsewhere. Throws Error{invalid_argument} for another shell.
[[nodiscard]] std::string completion_script(const CLI::App& program, const std::string& shell);

}  // namespace halocline::tools
