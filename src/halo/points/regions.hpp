// SPDX-License-Identifier: BSD-3-Clause
// Which points go where: the parts of a field that neighbours exchange.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"

namespace halocline::halo {

/// One dimension's share of a part: `count` points from `first` on.
struct Range {
  Count first, count;
};

/// What goes to the process at `step` (-1, 0 or 1) along a dimension with `extent` own points: those that
/// fill its halo on the near side. And where what comes from the process at -step goes.
[[nodiscard]] constexpr Range sent(Count step, Count extent, Count low, Count high) {
  if (step == 0) return {0, extent};
  return step > 0 ? Range{extent - low, low} : Range{0, high};
}
[[nodiscard]] constexpr Range received(Count step, Count extent, Count low, Count high) {
  if (step == 0) return {0, extent};
  return step > 0 ? Range{-low, low} : Range{extent, high};
}

/// The directions that halos are filled from if the processes talk along `stencil`: back and forth, each
/// once.
[[nodiscard]] Stencil directions_of(const Stencil& stencil);
/// The offsets of a neighbourhood in which exactly the parts of the halo in `directions` are filled.
/// Throws Error{invalid_argument} for a direction that is none, or given twice.
[[nodiscard]] Stencil offsets_filling(const Stencil& directions);

/// Throws Error{invalid_dimensions} if a halo, with the shared points of a staggered field, is wider than
/// what a neighbour owns.
void require_narrow(const Decomposition& decomposition, const FieldView& field);

}  // namespace halocline::halo
