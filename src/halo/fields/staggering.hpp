// SPDX-License-Identifier: BSD-3-Clause
// Fields with one point more than there are cells along some dimensions.
//
// To an exchange such a field is one of its cells: the last point of a process, which the next one owns, is
// the first of its halo, which is wider by that. Only at the end of an open dimension it is an own one.
#pragma once

#include "halocline/halo/field_view.hpp"

#include <algorithm>
#include <string>

namespace halocline::halo {

/// How many points it has beside those of the cells along a dimension: 0 or 1.
[[nodiscard]] inline Count extra_points(const FieldView& field, std::size_t dimension) {
  const auto& staggered = field.staggered();
  return std::binary_search(staggered.begin(), staggered.end(), dimension) ? 1 : 0;
}

/// The cells of the process that has the field.
[[nodiscard]] Counts cells_of(const FieldView& field);
/// What the extents of the field are on a process with so many cells.
[[nodiscard]] Counts points_on(const Counts& cells, const std::vector<std::size_t>& staggered);

/// For messages: "5x4 own points", or "5x4 points staggered along 0, which are 4x4 cells".
[[nodiscard]] std::string points_text(const FieldView& field);

}  // namespace halocline::halo
