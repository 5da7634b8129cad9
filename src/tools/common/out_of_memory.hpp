// SPDX-License-Identifier: BSD-3-Clause
// What is said where memory ends.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace halocline::tools {

/// One line about a command that asked for more memory than there is: what was on its command line, how much
/// it had by then, and how much there is.
[[nodiscard]] std::string out_of_memory_text(const CLI::App& command);

/// Refuses what would take more memory than this machine has: throws Error{out_of_memory}. `what` says who
/// wants the bytes, such as "--cores 720720: the points of 11531520 cores".
void require_memory(const std::string& what, double bytes);

}  // namespace halocline::tools
