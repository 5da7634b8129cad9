// SPDX-License-Identifier: BSD-3-Clause
// What meshes and process grids have in common: a box of points, each dimension open or periodic.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline {

using Cell = Counts;                    ///< Coordinates of one point, dimension 0 first.
using Offset = Counts;                  ///< Neighbour minus self.
using Periodicity = std::vector<bool>;  ///< For each dimension: does it wrap around?

/// The periodicity with the given flags: periodic(1, 1, 0).
template <class... Flags>
[[nodiscard]] Periodicity periodic(Flags... flags) {
  return {static_cast<bool>(flags)...};
}

/// A d-dimensional box of points numbered row by row, the last dimension fastest.
class HALOCLINE_API Lattice {
 public:
  [[nodiscard]] std::size_t dimensions() const { return extents_.size(); }
  [[nodiscard]] const Counts& extents() const { return extents_; }
  [[nodiscard]] const Periodicity& periodicity() const { return periodicity_; }
  [[nodiscard]] bool periodic(std::size_t dimension) const { return periodicity_[dimension]; }

  /// The number of points. Fits in 64 bits.
  [[nodiscard]] Count size() const { return size_; }

  /// The number of `cell`, and the cell of a number: inverse to each other.
  /// @pre the cell lies in the box; 0 <= index < size()
  [[nodiscard]] Count index(std::span<const Count> cell) const;
  [[nodiscard]] Cell cell(Count index) const;

  /// The point at `offset` from `cell`, wrapped where periodic; none beyond an open border.
  /// @pre both have dimensions() components
  [[nodiscard]] std::optional<Cell> neighbor(std::span<const Count> cell,
                                             std::span<const Count> offset) const;

  /// The number of the point at `sign` times the offset, or nowhere.
  static constexpr Count nowhere = -1;
  [[nodiscard]] Count index_at(std::span<const Count> cell, std::span<const Count> offset,
                               Count sign = 1) const;

  /// "1000x1100x950", followed by " periodic:1,1,0" unless every dimension is open.
  [[nodiscard]] std::string to_text() const;

  bool operator==(const Lattice&) const = default;

 protected:
  /// Throws Error{invalid_dimensions} unless there is at least one extent, all are positive, their product
  /// fits in 64 bits and `periodicity` has one flag a dimension or none at all (open). `noun` is for the
  /// error text.
  Lattice(std::string_view noun, Counts extents, Periodicity periodicity);

  struct Parts {
    Counts extents;
    Periodicity periodicity;
  };
  /// Reads what to_text() writes; also " periodic:all" and " periodic:none". Throws Error{invalid_argument}.
  [[nodiscard]] static Parts parse_parts(std::string_view noun, std::string_view text);

 private:
  Counts extents_;
  Periodicity periodicity_;
  Count size_;
};

/// Reads "all", "none" or one 0 or 1 a dimension: "1,0,1". Throws Error{invalid_argument}.
[[nodiscard]] HALOCLINE_API Periodicity parse_periodicity(std::string_view text, std::size_t dimensions);

}  // namespace halocline
