// SPDX-License-Identifier: BSD-3-Clause
// The transfer kernel: gather, scatter and gather-scatter are one copy from places to places, told by a table of tiles.
// Any compiler for NVIDIA's GPUs takes it without a toolkit, since it includes nothing of one; the host's compiler takes it
// as plain C++, with accelerate/host/host_kernels.cpp around it.
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

template <class Word>
HALOCLINE_DEVICE Word read(const Word* place) {
  return *place;
}
template <class Word>
HALOCLINE_DEVICE void write(Word* place, Word word) {
  *place = word;
}

#ifdef HALOCLINE_ON_GPU
HALOCLINE_DEVICE unsigned long long reached(unsigned long long address) { return address; }
// clang would make two accesses of them.
HALOCLINE_DEVICE Word16 read(const Word16* place) {
  Word16 word;
  asm volatile("ld.v2.u64 {%0, %1}, [%2];" : "=l"(word.low), "=l"(word.high) : "l"(place));
  return word;
}
HALOCLINE_DEVICE void write(Word16* place, Word16 word) {
  asm volatile("st.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(word.low), "l"(word.high) : "memory");
}
#else
/// Where the host's processor finds what the host's device calls by that address.
unsigned long long reached(unsigned long long address);
#endif

HALOCLINE_DEVICE unsigned quotient(unsigned number, const TileDivisor& by) {
  const auto high = static_cast<unsigned>((static_cast<unsigned long long>(number) * by.multiplier) >> 32);
  return (high + number) >> by.shift;
}

/// Which of the memories is not aligned to words, and is read or written byte by byte, the lowest first: as all hosts and
/// GPUs here have them.
enum class Narrow { none, from, to };

template <class Word, Narrow narrow>
HALOCLINE_DEVICE Word read(unsigned long long place) {
  if constexpr (narrow != Narrow::from) {
    return read(reinterpret_cast<const Word*>(place));
  } else {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(place);
    Word word = 0;
    HALOCLINE_UNROLL for (unsigned i = 0; i < sizeof(Word); ++i) word |= static_cast<Word>(bytes[i]) << (8 * i);
    return word;
  }
}
template <class Word, Narrow narrow>
HALOCLINE_DEVICE void write(unsigned long long place, Word word) {
  if constexpr (narrow != Narrow::to) {
    write(reinterpret_cast<Word*>(place), word);
  } else {
    auto* const bytes = reinterpret_cast<unsigned char*>(place);
    HALOCLINE_UNROLL for (unsigned i = 0; i < sizeof(Word); ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
  }
}

/// How far a word is from the first one, in bytes.
struct Distances {
  long long from, to;
};

/// What one thread does.
template <class Word, Narrow narrow>
struct Copy {
  const Tile tile;
  const TilePlace* const places;  ///< Of the list, or null.

  static constexpr unsigned from_unit = narrow == Narrow::from ? 1 : sizeof(Word);
  static constexpr unsigned to_unit = narrow == Narrow::to ? 1 : sizeof(Word);

  HALOCLINE_DEVICE_MEMBER Distances distances(unsigned number) const {
    unsigned rest = quotient(number, tile.row);
    const unsigned column = number - rest * tile.row.value;
    long long from = column * (sizeof(Word) / from_unit), to = column * (sizeof(Word) / to_unit);
    HALOCLINE_UNROLL for (unsigned i = 0; i + 1 < tile_loops; ++i) {
      if (i < tile.inner) {
        const unsigned next = quotient(rest, tile.loops[i]);
        const auto index = static_cast<int>(rest - next * tile.loops[i].value);
        from += static_cast<long long>(index) * tile.from_stride[i];
        to += static_cast<long long>(index) * tile.to_stride[i];
        rest = next;
      }
    }
    if (places != nullptr) {
      const TilePlace place = places[rest];
      from += place.from;
      to += place.to;
    } else {
      const auto index = static_cast<int>(rest);
      from += static_cast<long long>(index) * tile.from_stride[tile_loops - 1];
      to += static_cast<long long>(index) * tile.to_stride[tile_loops - 1];
    }
    return {from * from_unit, to * to_unit};
  }

  /// Several words are on their way at once, since nobody tells the compiler that they may be.
  HALOCLINE_DEVICE_MEMBER void run(unsigned thread) const {
    const unsigned long long from = reached(tile.from), to = reached(tile.to);
    unsigned number = tile.first + thread;
    for (; number + 3 * tile_threads < tile.end; number += 4 * tile_threads) {
      const Distances a = distances(number), b = distances(number + tile_threads);
      const Distances c = distances(number + 2 * tile_threads), d = distances(number + 3 * tile_threads);
      const Word of_a = read<Word, narrow>(from + a.from), of_b = read<Word, narrow>(from + b.from);
      const Word of_c = read<Word, narrow>(from + c.from), of_d = read<Word, narrow>(from + d.from);
      write<Word, narrow>(to + a.to, of_a);
      write<Word, narrow>(to + b.to, of_b);
      write<Word, narrow>(to + c.to, of_c);
      write<Word, narrow>(to + d.to, of_d);
    }
    for (; number < tile.end; number += tile_threads) {
      const Distances far = distances(number);
      write<Word, narrow>(to + far.to, read<Word, narrow>(from + far.from));
    }
  }
};

/// Words of 4 and 8 bytes, of which one memory may know nothing.
template <class Word>
HALOCLINE_DEVICE void copy_words(const Tile& tile, const TilePlace* places, unsigned thread) {
  if (tile.from_unit < sizeof(Word)) return Copy<Word, Narrow::from>{tile, places}.run(thread);
  if (tile.to_unit < sizeof(Word)) return Copy<Word, Narrow::to>{tile, places}.run(thread);
  Copy<Word, Narrow::none>{tile, places}.run(thread);
}

HALOCLINE_DEVICE void copy_tile(const Tile& tile, const TilePlace* places, unsigned thread) {
  switch (tile.word) {
    case 16: return Copy<Word16, Narrow::none>{tile, places}.run(thread);
    case 8: return copy_words<unsigned long long>(tile, places, thread);
    case 4: return copy_words<unsigned>(tile, places, thread);
    case 2: return Copy<unsigned short, Narrow::none>{tile, places}.run(thread);
    default: return Copy<unsigned char, Narrow::none>{tile, places}.run(thread);
  }
}

HALOCLINE_DEVICE void copy_tile(const Tile* table, unsigned number, unsigned thread) {
  const Tile& tile = table[number];
  copy_tile(tile, tile.list == 0 ? nullptr : reinterpret_cast<const TilePlace*>(table) + tile.list, thread);
}

}  // namespace halocline::accelerate

#ifdef HALOCLINE_ON_GPU
namespace halocline::accelerate {

/// By the first thread of each block. Whoever sees a word has to see what all blocks wrote before, on this device or on
/// another: a barrier of the block and a fence of the whole system lie between any write and the count of its block, and
/// another fence between the last count and the words.
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
