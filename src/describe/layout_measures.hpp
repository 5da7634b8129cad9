// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/describe/layout.hpp"

namespace halocline {

/// The measures of a constructor applied to layouts. Throws Error{invalid_argument} for arguments that make
/// no sense and for a number of members that does not fit the constructor, Error{invalid_type} for a measure
/// or a displacement that leaves 64 bits.
[[nodiscard]] Layout::Measures measure(const Layout::Constructor& constructor,
                                       std::span<const Layout> members);

}  // namespace halocline
