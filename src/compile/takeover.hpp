// Where generated code is faster than kernels, by rules that were learned from bench/compile.
#pragma once

#include "compile/generated.hpp"
#include "halocline/compile/canonical.hpp"

#include <optional>

namespace halocline::compile {

/// How the code is called: directly, or through a switch that can be turned while others pack.
enum class Call { direct, through_switch };

/// After how many packs code generated for the form has paid for its compilation, about. None if kernels are
/// as fast or faster, or if no code would be generated. O(terms).
[[nodiscard]] std::optional<Count> packs_to_pay(const Canonical& canonical, Call call);

/// Who unpacks where generated code has taken over: kernels, where it is no faster than they are.
[[nodiscard]] WhoUnpacks who_unpacks_after_takeover(const Canonical& canonical);

}  // namespace halocline::compile
