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

/// How far a block of a list is from the first word of the copy, in units.
struct alignas(8) TilePlace {
  int from, to;
};

/// Words [first, end) of a copy. Its words are numbered along rows, which lie side by side in both memories,
/// then along the inner loops, the innermost first, and then along the outermost loop, or along a list of
/// places. A thread block does one tile.
///
/// Ragged rows are those of which neither memory is aligned to words. Their words are those of 8 bytes that
/// lie aligned in the memory that is written; at the ends of a row there are parts of words. All rows have as
/// many as some may need, so the last one of a row can be empty.
struct alignas(16) Tile {
  unsigned long long from, to;  ///< Addresses of the first word of the copy.
  unsigned first, end;
  /// Bytes: 1, 2, 4, 8 or 16. Both memories are aligned to it and count distances in it, but for words of 4
  /// and 8, where one of them may have bytes instead.
  unsigned char word, from_unit, to_unit;
  unsigned char inner;  ///< Loops but the outermost; all of them where there is a list.
  /// Its places begin as many times the size of one behind the beginning of the table; 0: none.
  unsigned list;
  TileDivisor row;
  TileDivisor loops[tile_loops - 1];                   ///< Iterations of the inner ones.
  int from_stride[tile_loops], to_stride[tile_loops];  ///< In units; the outermost is the last in any case.
  unsigned
      ragged;  ///< Bytes of a ragged row, at least 8; 0: rows are whole words. Distances are in bytes then.
  /// Words of ragged rows may be read whole where they hold a byte of the row, but for the first row and this
  /// one, and all behind it: what is read beside other rows lies between the first and the last one.
  unsigned last_row;
};
static_assert(sizeof(Tile) == 128);
static_assert(sizeof(Tile) % sizeof(TilePlace) == 0);

/// Whom a launch tells that all its tiles are done. The addresses of so many words of 64 bits lie behind it.
struct TileNews {
  unsigned long long done;  ///< Tiles; 0 before the launch and after it.
  unsigned long long words;
};

}  // namespace halocline::accelerate
