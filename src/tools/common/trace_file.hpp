// SPDX-License-Identifier: BSD-3-Clause
// Trace files, as commands read them.
#pragma once

#include "trace/trace.hpp"

#include <string>

namespace halocline::tools {

/// Throws Error that names the file and what is wrong with it; also if there is none.
[[nodiscard]] trace::Trace read_trace(const std::string& path);

}  // namespace halocline::tools
