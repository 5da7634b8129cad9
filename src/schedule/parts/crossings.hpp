// SPDX-License-Identifier: BSD-3-Clause
// The rounds in which blocks cross the dimensions one after the other: unit hops, or one jump to the
// coordinate.
#pragma once

#include "halocline/base/count.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halocline::schedule {

enum class HopKind : std::uint8_t { unit, whole };

/// Rounds that lead along the dimensions, those of one dimension after those of another. Unit hops: as many
/// rounds forwards as the largest coordinate, then as many backwards as the smallest. Whole hops: one round
/// for each coordinate that occurs.
class Crossings {
 public:
  /// Along the dimensions in `order`, for `offsets` given one after the other.
  /// Throws Error{unsupported} for more than 2^26 rounds.
  Crossings(std::span<const Count> offsets, std::span<const std::size_t> order, HopKind hop);

  /// The rounds that cross `coordinate` in a dimension: `count` consecutive ones, none for 0.
  struct RoundRange {
    std::int32_t first;
    Count count;
  };
  [[nodiscard]] RoundRange across(std::size_t dimension, Count coordinate) const;

  /// The peers of all rounds, one after the other.
  [[nodiscard]] Counts peers() const;

 private:
  struct Axis {
    Counts coordinates;  ///< Those that occur, ascending, without 0; of whole hops only.
    Count largest = 0;
    Count smallest = 0;
    std::int32_t first_round = 0;
  };

  HopKind hop_;
  std::vector<std::size_t> order_;
  std::vector<Axis> axes_;
  Count rounds_ = 0;
};

}  // namespace halocline::schedule
