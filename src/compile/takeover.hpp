// Where generated code is faster than kernels, by rules that were learned from bench/compile.
#pragma once

#include "halocline/compile/canonical.hpp"

#include <optional>

namespace halocline::compile {

/// After how many packs code generated for the form has paid for its compilation. None if kernels are as
/// fast. O(terms).
[[nodiscard]] std::optional<Count> packs_to_pay(const Canonical& canonical);

}  // namespace halocline::compile
