// SPDX-License-Identifier: BSD-3-Clause
// A reading of the ranks as cells of a grid, held against every pair that sends something.
#pragma once

#include "plan/pattern/message_matrix.hpp"

#include <cstdint>
#include <vector>

namespace halocline::plan {

inline constexpr std::size_t most_pattern_dimensions = 6;
inline constexpr Count most_reach = 4;

/// A cell of a grid for each rank.
struct Reading {
  Counts extents;
  std::vector<std::int32_t> cells;  ///< The coordinates of rank 0, then those of rank 1, ...

  [[nodiscard]] std::size_t dimensions() const { return extents.size(); }
  [[nodiscard]] const std::int32_t* cell(std::size_t rank) const { return &cells[rank * extents.size()]; }
};

/// What messages along one offset there are.
struct OffsetEvidence {
  Offset offset;
  Count pairs = 0;
  Count bytes = 0;
};

/// What a reading explains.
struct Evidence {
  Periodicity periodicity;
  std::vector<OffsetEvidence> offsets;  ///< The stencil: those along which nearly all send that could.
  Count explained_bytes = 0;
  Count absent = 0;    ///< Pairs along these offsets that send nothing.
  Count possible = 0;  ///< All pairs along these offsets.

  /// Less is better: the share of bytes that is not explained, and of messages that are missing.
  [[nodiscard]] double defect(const MessageMatrix& matrix) const;
  /// Is a step along each dimension an offset, on its own?
  [[nodiscard]] bool has_all_steps() const;
};

/// Of the ways to close the grid's dimensions to rings the one that explains most. O(pairs) for each
/// dimension subset that may be periodic. @pre the cells are a bijection
[[nodiscard]] Evidence evidence(const MessageMatrix& matrix, const Reading& reading);

/// With these dimensions as rings. O(pairs).
[[nodiscard]] Evidence evidence(const MessageMatrix& matrix, const Reading& reading, Periodicity periodicity);

}  // namespace halocline::plan
