// SPDX-License-Identifier: BSD-3-Clause
// Which engine to use, as users say it, and when generated code pays.
#pragma once

#include "halocline/base/count.hpp"

#include <optional>

namespace halocline::compile {

/// In the order of the table of engines.
enum class EngineKind { kernels, llvm, automatic };

/// After how many packs code that took `compile_seconds` to make has paid, if each pack takes `slow_seconds`
/// without and `fast_seconds` with it. None if it never does. Throws Error{invalid_argument} for a time that
/// is negative or no number.
[[nodiscard]] std::optional<Count> break_even(double compile_seconds, double slow_seconds,
                                              double fast_seconds);

}  // namespace halocline::compile
