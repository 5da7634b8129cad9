// SPDX-License-Identifier: BSD-3-Clause
// Whether two fields have bytes in common.
#pragma once

#include "halocline/halo/field_view.hpp"

namespace halocline::halo {

/// All bytes between the first and the last of a field, halo included, from its first own point on.
struct Extent {
  Count from, to;
};
[[nodiscard]] Extent extent_of(const FieldView& field);

/// Do they have some, halos included, if they begin at other addresses than the views say? Elements are taken
/// for all bytes from the first to the last of their data. Exact for arrays of nested rows with the same
/// strides, such as components of one array; of others, those that lie one within the other do, unless all
/// elements of one lie beside all of the other by a common divisor of the strides.
[[nodiscard]] bool overlap(const FieldView& a, const void* a_origin, const FieldView& b,
                           const void* b_origin);

}  // namespace halocline::halo
