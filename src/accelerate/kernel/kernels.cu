// SPDX-License-Identifier: BSD-3-Clause
// The transfer kernel: gather, scatter and gather-scatter are one copy from places to places, told by a table
// of tiles. Any compiler for NVIDIA's GPUs takes it without a toolkit, since it includes nothing of one; the
// host's compiler takes it as plain C++, with accelerate/host/host_kernels.cpp around it.
#include "accelerate/kernel/tile.hpp"

#if defined(__CUDA__) || defined(__CUDACC__)
#define HALOCLINE_DEVICE_MEMBER inline __attribute__((device, always_inline))
#define HALOCLINE_UNROLL _Pragma("unroll")
#define HALOCLINE_ON_GPU 1
#else
#define HALOCLINE_UNROLL
#define HALOCLINE_DEVICE_MEMBER inline
#endif
#define HALOCLINE_DEVICE static HALOCLINE_DEVICE_MEMBER

namespace halocline::accelerate {

struct alignas(16) Word16 {
  unsigned long long low, high;
};

#ifdef HALOCLINE_ON_GPU
HALOCLINE_DEVICE unsigned long long reached(unsigned long long address) { return address; }
// In the words of the machine: no compiler knows that all of it is global memory, and clang would make two
// accesses of the widest words. Reads may be moved, but nothing that is read here is written by the same
// launch.
#define HALOCLINE_ACCESS(Word, Register, kind, constraint)                                            \
  HALOCLINE_DEVICE Word read(const Word* place) {                                                     \
    Register word;                                                                                    \
    asm("ld.global." kind " %0, [%1];" : "=" constraint(word) : "l"(place));                          \
    return static_cast<Word>(word);                                                                   \
  }                                                                                                   \
  HALOCLINE_DEVICE void write(Word* place, Word word) {                                               \
    asm volatile("st.global." kind " [%0], %1;" ::"l"(place), constraint(static_cast<Register>(word)) \
                 : "memory");                                                                         \
  }
HALOCLINE_ACCESS(unsigned char, unsigned short, "u8", "h")
HALOCLINE_ACCESS(unsigned short, unsigned short, "u16", "h")
HALOCLINE_ACCESS(unsigned, unsigned, "u32", "r")
HALOCLINE_ACCESS(unsigned long long, unsigned long long, "u64", "l")
HALOCLINE_DEVICE Word16 read(const Word16* place) {
  Word16 word;
  asm("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(word.low), "=l"(word.high) : "l"(place));
  return word;
}
HALOCLINE_DEVICE void write(Word16* place, Word16 word) {
  asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(word.low), "l"(word.high) : "memory");
}
HALOCLINE_DEVICE TilePlace read(const TilePlace* place) {
  TilePlace read;
  asm("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(read.from), "=r"(read.to) : "l"(place));
  return read;
}
#else
/// Where the host's processor finds what the host's device calls by that address.
unsigned long long reached(unsigned long long address);
template <class Word>
HALOCLINE_DEVICE Word read(const Word* place) {
  return *place;
}
template <class Word>
HALOCLINE_DEVICE void write(Word* place, Word word) {
  *place = word;
}
#endif

HALOCLINE_DEVICE unsigned quotient(unsigned number, const TileDivisor& by) {
  const auto high = static_cast<unsigned>((static_cast<unsigned long long>(number) * by.multiplier) >> 32);
  return (high + number) >> by.shift;
}

/// Which of the memories is not aligned to words, and is read or written byte by byte, the lowest first: as
/// all hosts and GPUs here have them.
enum class Narrow { none, from, to };

template <class Word, Narrow narrow>
HALOCLINE_DEVICE Word read(unsigned long long place) {
  if constexpr (narrow != Narrow::from) {
    return read(reinterpret_cast<const Word*>(place));
  } else {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(place);
    Word word = 0;
    HALOCLINE_UNROLL for (unsigned i = 0; i < sizeof(Word); ++i) word |= static_cast<Word>(read(bytes + i))
                                                                         << (8 * i);
    return word;
  }
}
template <class Word, Narrow narrow>
HALOCLINE_DEVICE void write(unsigned long long place, Word word) {
  if constexpr (narrow != Narrow::to) {
    write(reinterpret_cast<Word*>(place), word);
  } else {
    auto* const bytes = reinterpret_cast<unsigned char*>(place);
    HALOCLINE_UNROLL for (unsigned i = 0; i < sizeof(Word); ++i)
        write(bytes + i, static_cast<unsigned char>(word >> (8 * i)));
  }
}

/// How far a word is from the first one, in bytes, and which one it is of which row.
struct WordPlace {
  long long from, to;
  unsigned column, row, outermost;
};

/// Where a word of so many units of both memories is, but for the outermost loop, or the list.
template <unsigned from_units, unsigned to_units>
HALOCLINE_DEVICE WordPlace inner_place(const Tile& tile, unsigned number) {
  unsigned rest = quotient(number, tile.row);
  const unsigned row = rest, column = number - rest * tile.row.value;
  long long from = column * from_units, to = column * to_units;
  HALOCLINE_UNROLL for (unsigned i = 0; i + 1 < tile_loops; ++i) {
    if (i < tile.inner) {
      const unsigned next = quotient(rest, tile.loops[i]);
      const auto index = static_cast<int>(rest - next * tile.loops[i].value);
      from += static_cast<long long>(index) * tile.from_stride[i];
      to += static_cast<long long>(index) * tile.to_stride[i];
      rest = next;
    }
  }
  return {from, to, column, row, rest};
}

/// Of so many words at once: nobody waits for one entry of the list before it asks for the next one.
template <unsigned count, class Copy>
HALOCLINE_DEVICE void add_outermost(const Tile& tile, const Copy& copy, WordPlace (&places)[count]) {
  if (copy.places != nullptr) {
    TilePlace listed[count];
    HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) listed[i] = read(copy.places + places[i].outermost);
    HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) {
      places[i].from += listed[i].from;
      places[i].to += listed[i].to;
    }
  } else {
    HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) {
      const auto index = static_cast<int>(places[i].outermost);
      places[i].from += static_cast<long long>(index) * tile.from_stride[tile_loops - 1];
      places[i].to += static_cast<long long>(index) * tile.to_stride[tile_loops - 1];
    }
  }
  HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) {
    places[i].from *= Copy::from_unit;
    places[i].to *= Copy::to_unit;
  }
}

/// So many words of each thread, the first one of which has this number. What would come behind the last one
/// of the tile is the last one again, and not written.
template <unsigned count, class Copy>
HALOCLINE_DEVICE void copy_some(const Tile& tile, const Copy& copy, unsigned number) {
  WordPlace places[count];
  typename Copy::Value values[count];
  HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) {
    const unsigned its = number + i * tile_threads;
    places[i] = inner_place<Copy::from_units, Copy::to_units>(tile, its < tile.end ? its : tile.end - 1);
  }
  add_outermost(tile, copy, places);
  HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) values[i] = copy.get(places[i]);
  HALOCLINE_UNROLL for (unsigned i = 0; i < count; ++i) {
    if (number + i * tile_threads < tile.end) copy.put(places[i], values[i]);
  }
}

/// All words of a tile, which a thread block shares. Several are on their way at once, since nobody tells the
/// compiler that they may be; where there are few, they go one by one.
template <class Copy>
HALOCLINE_DEVICE void copy_all(const Tile& tile, const Copy& copy, unsigned thread) {
  unsigned start = tile.first;
  for (; start < tile.end && tile.end - start > tile_threads; start += Copy::at_once * tile_threads)
    copy_some<Copy::at_once>(tile, copy, start + thread);
  if (start < tile.end && thread < tile.end - start) copy_some<1>(tile, copy, start + thread);
}

/// Whole words.
template <class Word, Narrow narrow>
struct Copy {
  using Value = Word;
  static constexpr unsigned at_once = 4;
  static constexpr unsigned from_unit = narrow == Narrow::from ? 1 : sizeof(Word);
  static constexpr unsigned to_unit = narrow == Narrow::to ? 1 : sizeof(Word);
  static constexpr unsigned from_units = sizeof(Word) / from_unit, to_units = sizeof(Word) / to_unit;

  const TilePlace* const places;  ///< Of the list, or null.
  const unsigned long long from, to;

  HALOCLINE_DEVICE_MEMBER Word get(const WordPlace& place) const {
    return read<Word, narrow>(from + place.from);
  }
  HALOCLINE_DEVICE_MEMBER void put(const WordPlace& place, Word word) const {
    write<Word, narrow>(to + place.to, word);
  }
};

/// Some bytes at the beginning or at the end of an aligned word of 8, as pieces of 1, 2 and 4 of them: each
/// where the number of bytes has its bit. Where they are in the word.
struct Pieces {
  unsigned bytes, one, two, four;
};
HALOCLINE_DEVICE Pieces pieces_of(int begin, int end) {
  const auto bytes = static_cast<unsigned>(end - begin);
  const auto first = static_cast<unsigned>(begin);
  if (begin > 0) return {bytes, first, first + (bytes & 1u), 4};
  return {bytes, bytes & 6u, bytes & 4u, 0};
}

/// Two words of the memory that is read, which make one of the other: the first one without so many bytes,
/// and those.
struct WordPair {
  unsigned long long low, high;
  unsigned over;
};

/// Words of ragged rows.
struct RaggedCopy {
  using Word = unsigned long long;
  using Value = WordPair;
  static constexpr unsigned at_once = 2, from_unit = 1, to_unit = 1, from_units = 8, to_units = 8;
  static constexpr int bytes = 8;

  const TilePlace* const places;
  const unsigned long long from, to;
  const int row;            ///< Its bytes.
  const unsigned last_row;  ///< As in the tile.

  /// The bytes of the row in an aligned word that begins with this one of them, and others.
  HALOCLINE_DEVICE_MEMBER Word part(unsigned long long word, int begin, bool is_free) const {
    if (begin >= row || begin <= -bytes) return 0;
    if (is_free || (begin >= 0 && begin + bytes <= row)) return read(reinterpret_cast<const Word*>(word));
    const Pieces pieces = pieces_of(begin < 0 ? -begin : 0, begin + bytes > row ? row - begin : bytes);
    Word one = 0, two = 0, four = 0;
    if (pieces.bytes & 1u) one = read(reinterpret_cast<const unsigned char*>(word + pieces.one));
    if (pieces.bytes & 2u) two = read(reinterpret_cast<const unsigned short*>(word + pieces.two));
    if (pieces.bytes & 4u) four = read(reinterpret_cast<const unsigned*>(word + pieces.four));
    // Two that are not there may be said to lie behind the word.
    return one << (8 * pieces.one) | two << (8 * pieces.two % 64) | four << (8 * pieces.four);
  }

  /// How far the place of a word is behind that of the aligned one that is written.
  HALOCLINE_DEVICE_MEMBER unsigned shift_of(const WordPlace& place) const {
    return static_cast<unsigned>(to + place.to) & 7u;
  }

  HALOCLINE_DEVICE_MEMBER WordPair get(const WordPlace& place) const {
    const unsigned shift = shift_of(place);
    const unsigned long long begin = from + place.from - shift;
    const auto over = static_cast<unsigned>(begin) & 7u;
    const int in_row = static_cast<int>(place.column * 8 - shift - over);
    const bool is_free = place.row > 0 && place.row < last_row;
    WordPair pair{part(begin - over, in_row, is_free), 0, over};
    if (over > 0) pair.high = part(begin - over + 8, in_row + bytes, is_free);
    return pair;
  }

  HALOCLINE_DEVICE_MEMBER void put(const WordPlace& place, const WordPair& pair) const {
    const unsigned shift = shift_of(place);
    const unsigned long long target = to + place.to - shift;
    const Word word = pair.low >> (8 * pair.over) | (pair.high << 1u) << (63 - 8 * pair.over);
    const int in_row = static_cast<int>(place.column * 8 - shift);
    const int begin = in_row < 0 ? -in_row : 0, end = in_row + bytes > row ? row - in_row : bytes;
    if (begin >= end) return;
    if (end - begin == bytes) return write(reinterpret_cast<Word*>(target), word);
    const Pieces pieces = pieces_of(begin, end);
    if (pieces.bytes & 1u)
      write(reinterpret_cast<unsigned char*>(target + pieces.one),
            static_cast<unsigned char>(word >> (8 * pieces.one)));
    if (pieces.bytes & 2u)
      write(reinterpret_cast<unsigned short*>(target + pieces.two),
            static_cast<unsigned short>(word >> (8 * pieces.two)));
    if (pieces.bytes & 4u)
      write(reinterpret_cast<unsigned*>(target + pieces.four),
            static_cast<unsigned>(word >> (8 * pieces.four)));
  }
};

template <class Copy>
HALOCLINE_DEVICE void copy_by(const Tile& tile, const TilePlace* places, unsigned thread) {
  copy_all(tile, Copy{places, reached(tile.from), reached(tile.to)}, thread);
}

/// Words of 4 and 8 bytes, of which one memory may know nothing.
template <class Word>
HALOCLINE_DEVICE void copy_words(const Tile& tile, const TilePlace* places, unsigned thread) {
  if (tile.from_unit < sizeof(Word)) return copy_by<Copy<Word, Narrow::from>>(tile, places, thread);
  if (tile.to_unit < sizeof(Word)) return copy_by<Copy<Word, Narrow::to>>(tile, places, thread);
  copy_by<Copy<Word, Narrow::none>>(tile, places, thread);
}

HALOCLINE_DEVICE void copy_tile(const Tile& tile, const TilePlace* places, unsigned thread) {
  if (tile.ragged != 0)
    return copy_all(tile,
                    RaggedCopy{places, reached(tile.from), reached(tile.to), static_cast<int>(tile.ragged),
                               tile.last_row},
                    thread);
  switch (tile.word) {
    case 16:
      return copy_by<Copy<Word16, Narrow::none>>(tile, places, thread);
    case 8:
      return copy_words<unsigned long long>(tile, places, thread);
    case 4:
      return copy_words<unsigned>(tile, places, thread);
    case 2:
      return copy_by<Copy<unsigned short, Narrow::none>>(tile, places, thread);
    default:
      return copy_by<Copy<unsigned char, Narrow::none>>(tile, places, thread);
  }
}

/// The whole tile is read at once, before anybody looks at it.
HALOCLINE_DEVICE void copy_tile(const Tile* table, unsigned number, unsigned thread) {
  const Tile tile = table[number];
  copy_tile(tile, tile.list == 0 ? nullptr : reinterpret_cast<const TilePlace*>(table) + tile.list, thread);
}

}  // namespace halocline::accelerate

#ifdef HALOCLINE_ON_GPU
namespace halocline::accelerate {

/// By the first thread of each block. Whoever sees a word has to see what all blocks wrote before, on this
/// device or on another: a barrier of the block and a fence of the whole system lie between any write and the
/// count of its block, and another fence between the last count and the words.
HALOCLINE_DEVICE void tell(TileNews* news, unsigned tiles, unsigned long long value) {
  unsigned long long before;
  asm volatile("membar.sys;" ::: "memory");
  asm volatile("atom.add.u64 %0, [%1], 1;" : "=l"(before) : "l"(&news->done) : "memory");
  if (before + 1 != tiles) return;
  asm volatile("membar.sys;" ::: "memory");
  news->done = 0;
  const auto* const words = reinterpret_cast<const unsigned long long*>(news + 1);
  for (unsigned long long i = 0; i < news->words; ++i)
    asm volatile("st.volatile.u64 [%0], %1;" ::"l"(words[i]), "l"(value) : "memory");
}

}  // namespace halocline::accelerate

/// One thread block a tile. The news are null if nobody waits for them.
extern "C" __attribute__((global)) void transfer_tiles(const halocline::accelerate::Tile* table,
                                                       halocline::accelerate::TileNews* news,
                                                       unsigned long long value) {
  unsigned block, thread, blocks;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
  asm("mov.u32 %0, %%nctaid.x;" : "=r"(blocks));
  halocline::accelerate::copy_tile(table, block, thread);
  if (news == nullptr) return;
  asm volatile("bar.sync 0;" ::: "memory");
  if (thread == 0) halocline::accelerate::tell(news, blocks, value);
}
#endif
