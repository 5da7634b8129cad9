// SPDX-License-Identifier: BSD-3-Clause
// What a halo of boxes will send, before anybody runs it.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/boxes.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/describe/traffic.hpp"

#include <span>

namespace halocline::plan {

/// Ghost points around the own ones of a box, for each dimension: before the first, behind the last.
struct GhostWidths {
  Counts low, high;
  bool operator==(const GhostWidths&) const = default;
};

/// One field on all boxes.
struct BoxField {
  GhostWidths widths;
  Count point_bytes;
};

/// What one exchange of all fields moves.
struct BoxTraffic {
  Traffic to_itself;  ///< Of all processes: copies within one.
  Traffic to_others;  ///< Of all: a message for each pair of processes that have something for each other.
  Traffic most;       ///< The most messages that one process sends to others, and the most bytes.
  bool operator==(const BoxTraffic&) const = default;
};
/// `directions`: which parts of the halos are filled, as HaloOptions::directions; Stencil::moore(d, 1) for
/// all. Takes less than a second for 10,000 boxes of 1,000 processes. Throws Error{invalid_dimensions} if a
/// list has other dimensions than the boxes, or a width is negative.
[[nodiscard]] HALOCLINE_API BoxTraffic box_traffic(const Boxes& boxes, const Stencil& directions,
                                                   std::span<const BoxField> fields);

}  // namespace halocline::plan
