// SPDX-License-Identifier: BSD-3-Clause
// How much code would be generated for a form, before anything is.
#pragma once

#include "compile/form/canonical.hpp"

namespace halocline::compile {

/// About the cost of the code that the module llvm makes of the form (GeneratedCode::cost); more than
/// most_code_cost where it declines for another reason. O(terms + entries of short lists).
[[nodiscard]] Count estimated_code_cost(const Canonical& canonical);

}  // namespace halocline::compile
