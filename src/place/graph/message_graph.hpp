// SPDX-License-Identifier: BSD-3-Clause
// Who talks with whom, and how much: any pattern of messages, not only that of a grid.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/describe/grid.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halocline::place {

struct Message {
  Rank source;
  Rank target;
  Count bytes;
};

/// The bytes between each two ranks, both ways added, in compressed rows. An immutable value.
class MessageGraph {
 public:
  /// Adds up what comes more than once; what a rank sends to itself, and what has no bytes, is left out.
  /// O(messages log messages per rank). Throws Error{invalid_argument} for a rank outside [0, ranks), for
  /// negative bytes and if their sum leaves 64 bits.
  MessageGraph(Count ranks, std::span<const Message> messages);

  [[nodiscard]] Count ranks() const;
  /// Pairs of ranks that talk with each other.
  [[nodiscard]] Count pairs() const;
  /// Between all pairs.
  [[nodiscard]] Count bytes() const { return bytes_; }

  /// With whom a rank talks, in ascending order, and how much with each. @pre the rank exists
  [[nodiscard]] std::span<const Rank> neighbours(Rank rank) const;
  [[nodiscard]] std::span<const Count> bytes_with_neighbours(Rank rank) const;

 private:
  std::vector<std::size_t> starts_;  ///< Of each rank's row, and the end of the last.
  std::vector<Rank> neighbours_;
  Counts weights_;
  Count bytes_ = 0;
};

}  // namespace halocline::place
