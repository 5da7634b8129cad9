// SPDX-License-Identifier: BSD-3-Clause
// A trace as people and programs read it.
#pragma once

#include "tools/common/command.hpp"
#include "trace/trace.hpp"

namespace halocline::tools {

/// With so many of the pairs that sent most.
[[nodiscard]] Answer shown_trace(const trace::Trace& recorded, std::size_t most_pairs);

}  // namespace halocline::tools
