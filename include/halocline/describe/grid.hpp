// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/lattice.hpp"

namespace halocline {

using Rank = Count;

/// The process grid: one cell for each process.
class HALOCLINE_API Grid : public Lattice {
 public:
  /// Throws Error{invalid_dimensions} for an empty grid, an extent below 1, more than 2^63 - 1 cells, or a
  /// periodicity of another dimension.
  explicit Grid(Counts extents, Periodicity periodicity = {})
      : Lattice("grid", std::move(extents), std::move(periodicity)) {}

  /// Reads "50x48" or "50x48 periodic:1,0". Throws Error{invalid_argument} or as above.
  [[nodiscard]] static Grid parse(std::string_view text);

  bool operator==(const Grid&) const = default;
};

}  // namespace halocline
