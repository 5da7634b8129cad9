// SPDX-License-Identifier: BSD-3-Clause
// What the slots of a halo must have in common.
#pragma once

#include "halocline/halo/slot.hpp"

#include <string>
#include <vector>

namespace halocline::halo {

/// For messages: "field 2", or "memory 1 of field 2" where there are several.
[[nodiscard]] std::string name_of(std::size_t slot, std::size_t memory, std::size_t memories);

/// The address of the first point of all, halo included.
[[nodiscard]] const void* first_point(const FieldView& memory);

/// Throws Error{invalid_argument} for no slots, memories that have no points or begin at a null pointer,
/// alternatives with elements of different sizes or at the same address; Error{invalid_dimensions} for other
/// dimensions than the grid's, own points that differ, alternatives of different widths or staggering.
void check_slots(const std::vector<HaloSlot>& slots, std::size_t dimensions);

/// Throws Error{invalid_dimensions} that names the slot if the field has other points, staggering, widths or
/// strides; invalid_argument if it was moved from or has another element.
void require_alike(std::size_t slot, const FieldView& field, const FieldView& shape);

}  // namespace halocline::halo
