// SPDX-License-Identifier: BSD-3-Clause
// Whether a halo shows what it has to: a way that is fast and wrong has no place in a comparison.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"

#include <optional>

namespace halocline::tools {

/// The share of one process in fields of double on a periodic mesh in three dimensions.
struct HaloContents {
  Decomposition decomposition;
  Cell cell;           ///< Of the process.
  Stencil directions;  ///< The parts of the halo that are filled.

  /// Every own point of field `number` gets a value that no other point of any field has, the halo one that
  /// none has.
  void write(const FieldView& field, Count number) const;
  /// The first point, counted from the first own one, that has not the value it should have after an
  /// exchange: own points are as they were, and halos show those of the neighbours.
  [[nodiscard]] std::optional<Cell> first_wrong(const FieldView& field, Count number) const;
};

}  // namespace halocline::tools
