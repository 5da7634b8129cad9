// SPDX-License-Identifier: BSD-3-Clause
// Moves cut into tiles: words as wide as alignment allows, or those of ragged rows, loops as many as the
// kernel has, and about as many words in each as keep a whole device busy without a long table.

#include "accelerate/kernel/moves.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <tuple>

namespace halocline::accelerate {
namespace {

constexpr Count widest_word = 16;
constexpr Count most_words = std::numeric_limits<std::int32_t>::max();  ///< That the kernel counts.
constexpr Count least_of_tile = 4 * Count{tile_threads};  ///< Words that are on their way at once.
constexpr Count enough_tiles = 2048;                      ///< For any device to be busy.
constexpr Count widest_of_bytes = 8;                      ///< Of words that one memory has in bytes.
constexpr Count least_wide = 4;  ///< Shorter words are worse than words that one memory has in bytes.
constexpr Count ragged_word = 8;
constexpr Count longest_ragged_row = most_words / 2;
constexpr Count least_ragged =
    2 * Count{tile_threads};               ///< Words of ragged rows that are on their way at once.
constexpr std::size_t least_of_list = 16;  ///< Fewer moves are as soon done by a thread block each.

/// The widest word that the places of blocks in one of the memories, and the length of blocks, allow.
Count widest_in(const Move& move, Count Move::*address, Count Move::Loop::*stride) {
  auto bits = static_cast<std::uint64_t>(move.*address | move.block | widest_word);
  for (const Move::Loop& loop : move.loops) bits |= static_cast<std::uint64_t>(loop.*stride);
  return Count{1} << std::countr_zero(bits);
}

/// As Tile has them.
struct Units {
  Count word, from, to;
  bool ragged = false;
  [[nodiscard]] std::tuple<Count, Count, Count, bool> all() const { return {word, from, to, ragged}; }
};

/// The least row that is better copied by words that are aligned in the memory that is written alone, by the
/// units of both memories: bytes of one that is aligned are soon put together.
Count least_ragged_row(Count least_unit, Count widest_unit) {
  return widest_unit < least_wide ? ragged_word * least_unit : 8 * ragged_word;
}

Units units_of(const Move& move) {
  const Count from = widest_in(move, &Move::from, &Move::Loop::from_stride);
  const Count to = widest_in(move, &Move::to, &Move::Loop::to_stride);
  const Count both = std::min(from, to), wide = std::min(std::max(from, to), widest_of_bytes);
  if (both < least_wide && move.block >= least_ragged_row(both, wide)) return {ragged_word, 1, 1, true};
  if (both >= least_wide || wide < least_wide) return {both, both, both};
  return {wide, from > to ? wide : 1, from > to ? 1 : wide};
}

/// Words of a row. One that is ragged has as many as it needs where it lies worst.
Count words_of_row(const Move& move, const Units& units) {
  return units.ragged ? (move.block + 2 * (ragged_word - 1)) / ragged_word : move.block / units.word;
}

Count rows_of(const Move& move) {
  Count rows = 1;
  for (const Move::Loop& loop : move.loops) rows *= loop.count;
  return rows;
}

Count words_of(const Move& move, const Units& units) { return rows_of(move) * words_of_row(move, units); }

/// Tile::last_row of a nest: 0 where a row may lie beside the first one, or before it.
Count last_row(const Move& move) {
  const bool rises = std::all_of(move.loops.begin(), move.loops.end(),
                                 [](const Move::Loop& loop) { return loop.from_stride >= ragged_word; });
  return rises ? rows_of(move) - 1 : 0;
}

bool fits(Count stride) {
  return stride >= std::numeric_limits<std::int32_t>::min() &&
         stride <= std::numeric_limits<std::int32_t>::max();
}

bool fits_kernel(const Move& move) {
  const Units units = units_of(move);
  return move.loops.size() <= tile_loops && words_of(move, units) <= most_words &&
         (!units.ragged || move.block <= longest_ragged_row) &&
         std::all_of(move.loops.begin(), move.loops.end(), [&](const Move::Loop& loop) {
           return fits(loop.from_stride / units.from) && fits(loop.to_stride / units.to);
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

/// The outermost loop is what the list stands for, if there is one.
Tile whole_tile(const Move& move, const Units& units, bool has_list) {
  Tile tile{};
  tile.from = static_cast<unsigned long long>(move.from);
  tile.to = static_cast<unsigned long long>(move.to);
  tile.word = static_cast<unsigned char>(units.word);
  tile.from_unit = static_cast<unsigned char>(units.from);
  tile.to_unit = static_cast<unsigned char>(units.to);
  tile.row = divisor(words_of_row(move, units));
  if (units.ragged) tile.ragged = static_cast<unsigned>(move.block);
  if (units.ragged && !has_list) tile.last_row = static_cast<unsigned>(last_row(move));
  const auto set = [&](std::size_t place, const Move::Loop& loop) {
    if (place + 1 < tile_loops) tile.loops[place] = divisor(loop.count);
    tile.from_stride[place] = static_cast<int>(loop.from_stride / units.from);
    tile.to_stride[place] = static_cast<int>(loop.to_stride / units.to);
  };
  std::size_t inner = move.loops.size();
  if (!has_list && inner > 0) set(tile_loops - 1, move.loops[--inner]);
  tile.inner = static_cast<unsigned char>(inner);
  for (std::size_t i = 0; i < inner; ++i) set(i, move.loops[i]);
  return tile;
}

/// A thread block does more of words that are nearly nothing: it takes as long to read its tile.
Count least_words(const Tile& tile) {
  if (tile.ragged != 0) return least_ragged;
  return tile.word < least_wide ? 2 * least_of_tile : least_of_tile;
}

/// Of about `share` words each.
void add_tiles(Tile tile, Count words, Count share, std::vector<Tile>& tiles) {
  const Count least = least_words(tile), words_of_tile = divide_up(share, least) * least;
  for (Count first = 0; first < words; first += words_of_tile) {
    tile.first = static_cast<unsigned>(first);
    tile.end = static_cast<unsigned>(std::min(first + words_of_tile, words));
    tiles.push_back(tile);
  }
}

/// A move that the kernel can have, and what is asked of it often.
struct Sized {
  const Move* move;
  Units units;
  Count words;
  /// May it be one of a list?
  [[nodiscard]] bool is_short() const { return words < least_of_tile && move->loops.size() < tile_loops; }
};

/// Moves that differ in their places alone are equivalent.
bool is_before(const Sized& a, const Sized& b) {
  if (a.units.all() != b.units.all()) return a.units.all() > b.units.all();
  if (a.move->block != b.move->block) return a.move->block > b.move->block;
  return std::lexicographical_compare(a.move->loops.begin(), a.move->loops.end(), b.move->loops.begin(),
                                      b.move->loops.end(),
                                      [](const Move::Loop& of_a, const Move::Loop& of_b) {
                                        return std::tie(of_a.count, of_a.from_stride, of_a.to_stride) <
                                               std::tie(of_b.count, of_b.from_stride, of_b.to_stride);
                                      });
}

using Alike = std::span<const Sized>;

/// How many of them, from the first on, one list can have.
std::size_t most_of_list(Alike alike) {
  const Sized& first = alike.front();
  std::size_t count = 1;
  while (count < alike.size() && (static_cast<Count>(count) + 1) * first.words <= most_words &&
         fits((alike[count].move->from - first.move->from) / first.units.from) &&
         fits((alike[count].move->to - first.move->to) / first.units.to))
    ++count;
  return count;
}

/// The list of its tile counts from the beginning of the places so far, and from 1.
void add_list(Alike alike, Count share, TileTable& table) {
  const Sized& first = alike.front();
  Tile tile = whole_tile(*first.move, first.units, true);
  tile.list = static_cast<unsigned>(table.places.size()) + 1;
  for (const Sized& one : alike)
    table.places.push_back({static_cast<int>((one.move->from - first.move->from) / first.units.from),
                            static_cast<int>((one.move->to - first.move->to) / first.units.to)});
  add_tiles(tile, static_cast<Count>(alike.size()) * first.words, share, table.tiles);
}

void add_alike(Alike alike, Count share, TileTable& table) {
  while (alike.size() >= least_of_list) {
    const std::size_t count = most_of_list(alike);
    if (count < least_of_list) break;
    add_list(alike.first(count), share, table);
    alike = alike.subspan(count);
  }
  for (const Sized& one : alike)
    add_tiles(whole_tile(*one.move, one.units, false), one.words, share, table.tiles);
}

}  // namespace

TileTable tiles_of(const std::vector<Move>& moves) {
  std::vector<Move> fitting;
  for (const Move& move : moves)
    if (move.bytes() > 0) add_fitting(move, fitting);
  std::vector<Sized> all;
  all.reserve(fitting.size());
  Count words = 0;
  for (const Move& move : fitting) {
    const Units units = units_of(move);
    all.push_back({&move, units, words_of(move, units)});
    words += all.back().words;
  }
  const Count share = std::max(Count{1}, divide_up(words, enough_tiles));
  TileTable table;
  const auto short_ones =
      std::stable_partition(all.begin(), all.end(), [](const Sized& one) { return !one.is_short(); });
  for (auto one = all.begin(); one != short_ones; ++one)
    add_tiles(whole_tile(*one->move, one->units, false), one->words, share, table.tiles);
  std::stable_sort(short_ones, all.end(), is_before);
  for (auto first = short_ones; first != all.end();) {
    const auto end = std::find_if(first, all.end(), [&](const Sized& one) { return is_before(*first, one); });
    add_alike({first, end}, share, table);
    first = end;
  }
  const std::size_t before_lists = table.tiles.size() * sizeof(Tile) / sizeof(TilePlace);
  if (before_lists + table.places.size() > static_cast<std::size_t>(most_words))
    fail(Fault::unsupported, fitting.size(), " pieces of memory in one transfer on a device make a table of ",
         table.bytes(), " bytes; ", most_words * Count{sizeof(TilePlace)}, " at most");
  for (Tile& tile : table.tiles)
    if (tile.list > 0) tile.list += static_cast<unsigned>(before_lists - 1);
  return table;
}

Count TileTable::bytes() const {
  return static_cast<Count>(tiles.size() * sizeof(Tile) + places.size() * sizeof(TilePlace));
}

void TileTable::write(std::byte* to) const {
  const auto as_bytes = std::as_bytes(std::span(tiles)), behind = std::as_bytes(std::span(places));
  std::copy(behind.begin(), behind.end(), std::copy(as_bytes.begin(), as_bytes.end(), to));
}

}  // namespace halocline::accelerate
