// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/lattice.hpp"

namespace halocline {

/// The global mesh of the application: the points that the processes share out among them.
class HALOCLINE_API Mesh : public Lattice {
 public:
  /// Throws Error{invalid_dimensions} for an empty mesh, an extent below 1, more than 2^63 - 1 points, or a
  /// periodicity of another dimension.
  explicit Mesh(Counts extents, Periodicity periodicity = {})
      : Lattice("mesh", std::move(extents), std::move(periodicity)) {}

  /// Reads "1000x1100x950" or "1000x1100x950 periodic:1,1,0". Throws Error{invalid_argument} or as above.
  [[nodiscard]] static Mesh parse(std::string_view text);

  bool operator==(const Mesh&) const = default;
};

}  // namespace halocline
