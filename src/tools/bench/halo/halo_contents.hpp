// SPDX-License-Identifier: BSD-3-Clause
// Whether a halo shows what it has to: a way that is fast and wrong has no place in a comparison.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"
#include "halocline/mpi/cart.hpp"
#include "tools/bench/measuring/contest.hpp"

#include <optional>
#include <vector>

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

/// Of this process, with all that a halo along the stencil of the mesh fills.
[[nodiscard]] HaloContents contents_of(const Cart& cart);
/// Writes fields, lets a way exchange their halos, and looks at them. Throws the same Error on every rank if
/// what it leaves there is wrong on any. Collective.
void check_contents(const Cart& cart, const Competitor& way, const std::vector<FieldView>& fields);
/// The same of a way that adds what lies in halos to its owners.
void check_sums(const Cart& cart, const Competitor& way, const std::vector<FieldView>& fields);

}  // namespace halocline::tools
