// SPDX-License-Identifier: BSD-3-Clause
// Where generated code is faster than kernels, by rules that were learned from bench/compile.
#pragma once

#include "compile/form/canonical.hpp"
#include "compile/generated/generated.hpp"
#include "compile/kernels/code.hpp"

#include <memory>
#include <optional>

namespace halocline::compile {

/// After how many packs code generated for the form has paid for its compilation, about. None if kernels are
/// as fast or faster, or if no code would be generated. O(terms).
[[nodiscard]] std::optional<Count> packs_to_pay(const Canonical& canonical);

/// Who unpacks where generated code packs: kernels, where it is no faster than they are.
[[nodiscard]] WhoUnpacks who_unpacks_best(const Canonical& canonical);

/// Generated code if the unit says how often it will be packed and that pays; kernels otherwise.
[[nodiscard]] std::unique_ptr<const Code> choose_what_pays(const CodeUnit& unit);

}  // namespace halocline::compile
