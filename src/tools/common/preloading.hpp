// SPDX-License-Identifier: BSD-3-Clause
// Commands that are started with one of our libraries in front of MPI, on all nodes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halocline::tools {

/// In the environment of this process, and so of whatever it starts.
void set_variable(const std::string& variable, const std::string& value);

/// The library that gives ranks new numbers. What stood before it would not see them.
inline constexpr const char* order_library = "libhalocline-order.so";

/// Becomes the command, with the libraries before all others that are preloaded, and that of new numbers
/// first; Open MPI's launcher hands them to ranks on other nodes, together with all variables that begin with
/// HALOCLINE. Throws Error{unsupported} that names the command if it cannot be started.
[[noreturn]] void become_preloaded(const std::vector<std::filesystem::path>& libraries,
                                   const std::vector<std::string>& command);

}  // namespace halocline::tools
