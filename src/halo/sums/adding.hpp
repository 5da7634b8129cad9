// SPDX-License-Identifier: BSD-3-Clause
// Loops that add numbers which lie side by side to those of the points of a box.
#pragma once

#include "halo/sums/numbers.hpp"
#include "halocline/halo/accumulate.hpp"
#include "halocline/halo/field_view.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halocline::halo {

/// One run of the elements of all points of a box: rows of numbers side by side, under loops.
struct Addends {
  struct Loop {
    Count count;
    Count to_stride, from_stride;  ///< In bytes.
  };
  NumberType type;
  std::byte* to;
  Count from;               ///< In bytes, from the beginning of what comes.
  Count numbers;            ///< Of a row.
  std::vector<Loop> loops;  ///< The outermost first. Rows and loops that continue each other are one.
};

/// For the points of a part of a field, which come in that order, the slowest dimension first.
[[nodiscard]] std::vector<Addends> addends_of(const Numbers& numbers, const FieldView& field,
                                              const FieldView::Part& part, std::span<const std::size_t> order,
                                              Count from);

/// The numbers of the field first, what comes second. @pre `how` is not replace, and for complex numbers sum
void accumulate(const Addends& addends, const std::byte* arrived, Accumulate how);

}  // namespace halocline::halo
