// SPDX-License-Identifier: BSD-3-Clause
// The engine of precompiled kernels: each term of the canonical form becomes a step that names a kernel made
// for its block size. Nothing is generated, so that a datatype is ready in less than a microsecond.
#pragma once

#include "compile/kernels/code.hpp"

#include <memory>

namespace halocline::compile {

[[nodiscard]] std::unique_ptr<const Code> choose_kernels(const CodeUnit& unit);

}  // namespace halocline::compile
