// SPDX-License-Identifier: BSD-3-Clause
// From the canonical forms of two layouts to the table of the transfer kernel: pure functions.
#pragma once

#include "accelerate/kernel/tile.hpp"
#include "compile/form/canonical.hpp"

#include <vector>

namespace halocline::accelerate {

/// Equal blocks that are copied under loops.
struct Move {
  struct Loop {
    Count count, from_stride, to_stride;  ///< Strides in bytes.
    bool operator==(const Loop&) const = default;
  };
  Count from = 0, to = 0;        ///< Addresses of the first byte.
  Count block = 0;               ///< Bytes.
  std::vector<Loop> loops = {};  ///< The innermost first.

  [[nodiscard]] Count bytes() const;
  bool operator==(const Move&) const = default;
};

/// Copies the stream of one form into the places of the other: as few moves as both have nests in common
/// where their loops fit each other, one for each run where they do not. @pre both have as many bytes; no
/// place is named twice
[[nodiscard]] std::vector<Move> moves_between(const compile::Canonical& from, const compile::Canonical& to);
/// The same to contiguous memory that begins at an address, and from there.
[[nodiscard]] std::vector<Move> moves_to(const compile::Canonical& from, Count address);
[[nodiscard]] std::vector<Move> moves_from(Count address, const compile::Canonical& to);

/// What the kernel reads: tiles, and behind them the places of their lists.
struct TileTable {
  std::vector<Tile> tiles = {};
  std::vector<TilePlace> places = {};

  [[nodiscard]] Count bytes() const;
  void write(std::byte* to) const;
};

/// Each word as wide as alignment allows, and many short moves that differ in their places alone as a list.
/// Throws Error{unsupported} if it had more than 2^31 tiles.
[[nodiscard]] TileTable tiles_of(const std::vector<Move>& moves);

}  // namespace halocline::accelerate
