// SPDX-License-Identifier: BSD-3-Clause
// Numbers of the points of a box that change their sign.
#pragma once

#include "halo/sums/numbers.hpp"
#include "halocline/halo/field_view.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halocline::halo {

/// Throws Error{invalid_type} whose text goes on behind the name of the field unless all numbers have a sign
/// to change, or for a number there is none of. Numbers are counted in the order of the typemap.
[[nodiscard]] std::vector<NumberRun> negated_runs(const Numbers& numbers, std::span<const std::size_t> which);
/// The same of all of them.
[[nodiscard]] std::vector<NumberRun> negated_runs(const Numbers& numbers);

/// In all points of a part of the field; the least integer stays what it is.
void negate(const FieldView& field, const FieldView::Part& part, const std::vector<NumberRun>& runs);

}  // namespace halocline::halo
