// SPDX-License-Identifier: BSD-3-Clause
// The transfer kernel: gather, scatter and gather-scatter are one copy from places to places, told by a table of tiles.
// Any compiler for NVIDIA's GPUs takes it without a toolkit, since it includes nothing of one; the host's compiler takes it
// as plain C++, with accelerate/host_kernels.cpp around it.
#include "accelerate/tile.hpp"

#if defined(__CUDA__) || defined(__CUDACC__)
#define HALOCLINE_DEVICE static inline __attribute__((device, always_inline))
#define HALOCLINE_UNROLL _Pragma("unroll")
#define HALOCLINE_ON_GPU 1
#else
#define HALOCLINE_UNROLL
#define HALOCLINE_DEVICE static inline
#endif

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

/// How far a word is from the first one, in words.
struct Distances {
  long long from, to;
};

HALOCLINE_DEVICE Distances distances(const Tile& tile, unsigned number) {
  unsigned rest = quotient(number, tile.row);
  const unsigned column = number - rest * tile.row.value;
  Distances far{column, column};
  HALOCLINE_UNROLL for (unsigned i = 0; i + 1 < tile_loops; ++i) {
    const unsigned next = quotient(rest, tile.loops[i]);
    const auto index = static_cast<int>(rest - next * tile.loops[i].value);
    far.from += static_cast<long long>(index) * tile.from_stride[i];
    far.to += static_cast<long long>(index) * tile.to_stride[i];
    rest = next;
  }
  const auto index = static_cast<int>(rest);
  far.from += static_cast<long long>(index) * tile.from_stride[tile_loops - 1];
  far.to += static_cast<long long>(index) * tile.to_stride[tile_loops - 1];
  return far;
}

/// What one thread does. Several words are on their way at once, since nobody tells the compiler that they may be.
template <class Word>
HALOCLINE_DEVICE void copy_words(const Tile tile, unsigned thread) {
  const auto* const from = reinterpret_cast<const Word*>(reached(tile.from));
  auto* const to = reinterpret_cast<Word*>(reached(tile.to));
  unsigned number = tile.first + thread;
  for (; number + 3 * tile_threads < tile.end; number += 4 * tile_threads) {
    const Distances a = distances(tile, number), b = distances(tile, number + tile_threads);
    const Distances c = distances(tile, number + 2 * tile_threads), d = distances(tile, number + 3 * tile_threads);
    const Word of_a = read(from + a.from), of_b = read(from + b.from);
    const Word of_c = read(from + c.from), of_d = read(from + d.from);
    write(to + a.to, of_a);
    write(to + b.to, of_b);
    write(to + c.to, of_c);
    write(to + d.to, of_d);
  }
  for (; number < tile.end; number += tile_threads) {
    const Distances far = distances(tile, number);
    write(to + far.to, read(from + far.from));
  }
}

HALOCLINE_DEVICE void copy_tile(const Tile& tile, unsigned thread) {
  switch (tile.word) {
    case 16: return copy_words<Word16>(tile, thread);
    case 8: return copy_words<unsigned long long>(tile, thread);
    case 4: return copy_words<unsigned>(tile, thread);
    case 2: return copy_words<unsigned short>(tile, thread);
    default: return copy_words<unsigned char>(tile, thread);
  }
}

}  // namespace halocline::accelerate

#ifdef HALOCLINE_ON_GPU
/// One thread block a tile.
extern "C" __attribute__((global)) void transfer_tiles(const halocline::accelerate::Tile* tiles) {
  unsigned block, thread;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
  halocline::accelerate::copy_tile(tiles[block], thread);
}
#endif
