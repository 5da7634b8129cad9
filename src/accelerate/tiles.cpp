// SPDX-License-Identifier: BSD-3-Clause
// Moves cut into tiles: words as wide as alignment allows, loops as many as the kernel has, and about as many
// words in each as keep a whole device busy without a long table.

#include "accelerate/moves.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace halocline::accelerate {
namespace {

constexpr Count widest_word = 16;
constexpr Count most_words = std::numeric_limits<std::int32_t>::max();  ///< That the kernel counts.
constexpr Count least_of_tile = 4 * Count{tile_threads};  ///< Words that are on their way at once.
constexpr Count enough_tiles = 2048;                      ///< For any device to be busy.

Count word_of(const Move& move) {
  auto bits = static_cast<std::uint64_t>(move.from | move.to | move.block | widest_word);
  for (const Move::Loop& loop : move.loops)
    bits |= static_cast<std::uint64_t>(loop.from_stride | loop.to_stride);
  return Count{1} << std::countr_zero(bits);
}

bool fits(Count stride) {
  return stride >= std::numeric_limits<std::int32_t>::min() &&
         stride <= std::numeric_limits<std::int32_t>::max();
}

bool fits_kernel(const Move& move) {
  const Count word = word_of(move);
  return move.loops.size() <= tile_loops && move.bytes() / word <= most_words &&
         std::all_of(move.loops.begin(), move.loops.end(), [&](const Move::Loop& loop) {
           return fits(loop.from_stride / word) && fits(loop.to_stride / word);
         });
}

/// Into halves of the outermost loop, or of the block, until the kernel can have them.
void add_fitting(const Move& move, std::vector<Move>& fitting) {
  if (fits_kernel(move)) {
    fitting.push_back(move);
    return;
  }
  Move first = move, second = move;
  if (move.loops.empty()) {
    first.block = divide_up(move.block / 2, widest_word) * widest_word;
    second.block = move.block - first.block;
    second.from += first.block;
    second.to += first.block;
  } else {
    const Move::Loop& outer = move.loops.back();
    const Count half = outer.count / 2;
    first.loops.back().count = half;
    second.loops.back().count = outer.count - half;
    second.from += half * outer.from_stride;
    second.to += half * outer.to_stride;
    for (Move* const part : {&first, &second})
      if (part->loops.back().count == 1) part->loops.pop_back();
  }
  add_fitting(first, fitting);
  add_fitting(second, fitting);
}

TileDivisor divisor(Count value) {
  const auto number = static_cast<std::uint64_t>(value);
  const auto shift = static_cast<unsigned>(std::bit_width(number - 1));
  const std::uint64_t multiplier =
      ((std::uint64_t{1} << 32u) * ((std::uint64_t{1} << shift) - number)) / number + 1;
  return {static_cast<unsigned>(number), static_cast<unsigned>(multiplier), shift};
}

Tile whole_tile(const Move& move, Count word) {
  Tile tile{};
  tile.from = static_cast<unsigned long long>(move.from);
  tile.to = static_cast<unsigned long long>(move.to);
  tile.word = static_cast<unsigned>(word);
  tile.row = divisor(move.block / word);
  for (std::size_t i = 0; i < tile_loops; ++i) {
    const Move::Loop loop = i < move.loops.size() ? move.loops[i] : Move::Loop{1, 0, 0};
    if (i + 1 < tile_loops) tile.loops[i] = divisor(loop.count);
    tile.from_stride[i] = static_cast<int>(loop.from_stride / word);
    tile.to_stride[i] = static_cast<int>(loop.to_stride / word);
  }
  return tile;
}

void add_tiles(const Move& move, Count words_of_tile, std::vector<Tile>& tiles) {
  const Count word = word_of(move), words = move.bytes() / word;
  Tile tile = whole_tile(move, word);
  for (Count first = 0; first < words; first += words_of_tile) {
    tile.first = static_cast<unsigned>(first);
    tile.end = static_cast<unsigned>(std::min(first + words_of_tile, words));
    tiles.push_back(tile);
  }
}

}  // namespace

std::vector<Tile> tiles_of(const std::vector<Move>& moves) {
  std::vector<Move> fitting;
  for (const Move& move : moves)
    if (move.bytes() > 0) add_fitting(move, fitting);
  Count words = 0;
  for (const Move& move : fitting) words += move.bytes() / word_of(move);
  const Count words_of_tile =
      std::max(least_of_tile, divide_up(divide_up(words, enough_tiles), least_of_tile) * least_of_tile);
  std::vector<Tile> tiles;
  for (const Move& move : fitting) add_tiles(move, words_of_tile, tiles);
  if (tiles.size() > static_cast<std::size_t>(most_words))
    fail(Fault::unsupported, tiles.size(), " pieces of memory in one transfer on a device; ", most_words,
         " at most");
  return tiles;
}

}  // namespace halocline::accelerate
