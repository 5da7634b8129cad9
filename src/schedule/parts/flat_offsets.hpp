// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/describe/stencil.hpp"

namespace halocline::schedule {

/// The coordinates of all offsets, one after the other.
[[nodiscard]] inline Counts flat_offsets(const Stencil& stencil) {
  Counts flat;
  flat.reserve(stencil.size() * stencil.dimensions());
  for (const Offset& offset : stencil.offsets()) flat.insert(flat.end(), offset.begin(), offset.end());
  return flat;
}

}  // namespace halocline::schedule
