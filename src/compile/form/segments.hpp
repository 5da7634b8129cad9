// SPDX-License-Identifier: BSD-3-Clause
// The runs of a byte sequence one by one, for callers that hand lists of places to somebody else.
#pragma once

#include "compile/form/canonical.hpp"

#include <vector>

namespace halocline::compile {

/// All runs in the order of the stream. Neighbours that touch are joined. Memory grows with
/// Canonical::runs(): ask that first.
[[nodiscard]] std::vector<Segment> segments(const Canonical& form);

}  // namespace halocline::compile
