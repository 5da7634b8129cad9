// SPDX-License-Identifier: BSD-3-Clause
// From the tree of constructors to the byte sequence it stands for.
#pragma once

#include "compile/form/run_sequence.hpp"

namespace halocline::compile {

/// The sequence of one element of the layout. Throws Error{unsupported} for more than 2000 levels.
[[nodiscard]] RunSequence traverse(const Layout& layout);

}  // namespace halocline::compile
