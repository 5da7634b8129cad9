// SPDX-License-Identifier: BSD-3-Clause
// All points of a field, and values that tell them from each other: for checks that look at each point.
#pragma once

#include "base/hash.hpp"
#include "base/numbers.hpp"
#include "halocline/halo/field_view.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halocline::halo {

/// Those of the halo, too; the last dimension fastest.
template <class Visit>
void for_each_field_point(const FieldView& view, const Visit& visit) {
  Cell point;
  for (const Count low : view.halo().low) point.push_back(-low);
  for (;;) {
    visit(point);
    std::size_t d = point.size();
    while (d-- > 0) {
      if (++point[d] < view.extents()[d] + view.halo().high[d]) break;
      point[d] = -view.halo().low[d];
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

/// A number that looks like no other, as many bytes of it as are wanted.
[[nodiscard]] inline std::vector<std::byte> stamp(std::uint64_t seed, Count bytes) {
  std::vector<std::byte> stamped(to_size(bytes));
  for (std::size_t i = 0; i < stamped.size(); ++i) {
    if (i % sizeof(std::uint64_t) == 0) seed = split_mixed(seed + golden_ratio);
    stamped[i] = static_cast<std::byte>(seed >> (8 * (i % sizeof(std::uint64_t))));
  }
  return stamped;
}

}  // namespace halocline::halo
