// SPDX-License-Identifier: BSD-3-Clause
// What the transfer kernel reads of its table. Shared with kernels.cu, which includes nothing of a toolkit:
// so does this.
#pragma once

namespace halocline::accelerate {

/// Loops of a tile around its rows of words.
inline constexpr unsigned tile_loops = 4;
/// Threads that work on a tile together.
inline constexpr unsigned tile_threads = 256;

/// Division of numbers below 2^31 by one that stays the same: (n + high half of n * multiplier) >> shift
/// (Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994, section 4).
struct TileDivisor {
  unsigned value, multiplier, shift;
};

/// Words [first, end) of a copy. Its words are numbered along rows, which lie side by side in both memories,
/// then along the loops, the innermost first. A thread block does one tile.
struct Tile {
  unsigned long long from, to;  ///< Addresses of the first word of the copy.
  unsigned first, end;
  unsigned word;  ///< Bytes: 1, 2, 4, 8 or 16, and both memories are aligned to it.
  TileDivisor row;
  TileDivisor loops[tile_loops - 1];  ///< Iterations; those of the outermost loop nobody asks for.
  int from_stride[tile_loops], to_stride[tile_loops];  ///< In words.
};

}  // namespace halocline::accelerate
