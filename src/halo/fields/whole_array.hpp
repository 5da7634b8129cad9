// SPDX-License-Identifier: BSD-3-Clause
// A field as the part of an array that lies between its halos.
#pragma once

#include "halocline/halo/field_view.hpp"

namespace halocline::halo {

/// The array of `extents` points in all, halo included, the first of them at `first`, neighbours along
/// dimension d `strides[d]` bytes apart. A null pointer stays one. Throws Error{invalid_dimensions} if
/// nothing is left between the halos; as FieldView.
[[nodiscard]] FieldView whole_array(void* first, const Layout& element, const Counts& extents,
                                    const HaloWidths& halo, Counts strides);

}  // namespace halocline::halo
