// SPDX-License-Identifier: BSD-3-Clause
// What a plan is about, in a line.
#pragma once

#include "halocline/plan/plan.hpp"

#include <string>

namespace halocline::plan {

/// "mesh 64x64, stencil nearest, halo 1x1, 1 field of 8 bytes a point".
[[nodiscard]] std::string exchanged_text(const Problem& problem);

}  // namespace halocline::plan
