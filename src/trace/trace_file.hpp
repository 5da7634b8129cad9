// SPDX-License-Identifier: BSD-3-Clause
// Traces in files.
#pragma once

#include "trace/trace.hpp"

#include <string>

namespace halocline::trace {

/// Throws Error that names the file and what is wrong with it; also if there is none.
[[nodiscard]] Trace read(const std::string& path);

}  // namespace halocline::trace
