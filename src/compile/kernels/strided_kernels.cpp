// SPDX-License-Identifier: BSD-3-Clause
// Kernels for blocks at regular distances.

#include "base/index.hpp"
#include "compile/kernels/row_copy.hpp"
#include "compile/kernels/step.hpp"
#include "compile/kernels/wide_kernels.hpp"

#include <algorithm>
#include <cstdlib>

namespace halocline::compile {
namespace {

/// Within this distance a longer read stays on pages that hold data of the row.
constexpr Count page = 4096;

/// A row of odd blocks below 16 bytes, written in one piece of a power of two that the next block overwrites
/// again; only the last block is copied exactly. What is read beyond a block lies between it and the next
/// one.
template <std::size_t size>
void pack_odd_row(const std::byte* memory, Count stride, std::byte* wire, Count count) {
  constexpr std::size_t piece = size > 8 ? 16 : size > 4 ? 8 : 4;
  for (; count > 4; count -= 4) {
    const auto a = read_block<ToWire, piece>(memory, wire);
    const auto b = read_block<ToWire, piece>(memory + stride, wire);
    const auto c = read_block<ToWire, piece>(memory + 2 * stride, wire);
    const auto d = read_block<ToWire, piece>(memory + 3 * stride, wire);
    write_block<ToWire, piece>(a, memory, wire);
    write_block<ToWire, piece>(b, memory, wire + size);
    write_block<ToWire, piece>(c, memory, wire + 2 * size);
    write_block<ToWire, piece>(d, memory, wire + 3 * size);
    memory += 4 * stride;
    wire += 4 * size;
  }
  for (; count > 0; --count) {
    std::memcpy(wire, memory, size);
    memory += stride;
    wire += size;
  }
}

template <class Direction, class Block>
inline typename Direction::Wire copy_packed_row(const Block& block, typename Direction::Memory memory,
                                                Count stride, typename Direction::Wire wire, Count count) {
  copy_row<Direction, Block>(block, memory, stride, wire, block.bytes(), count);
  return wire + count * block.bytes();
}

/// A single row, without the loops around it.
template <class Direction, class Block>
void copy_line(const Step& step, typename Direction::Memory memory, typename Direction::Wire wire) {
  copy_packed_row<Direction, Block>(Block(step.block), memory, step.loops[0].stride, wire,
                                    step.loops[0].count);
}

/// Rows of blocks. A function of its own: with a third loop around them there would not be enough registers,
/// and the counter of the innermost loop would go through memory for every block.
template <class Direction, class Block>
[[gnu::noinline]] typename Direction::Wire copy_plane(const Step& step, typename Direction::Memory memory,
                                                      typename Direction::Wire wire) {
  const Block block(step.block);
  const Canonical::Dim row = step.loops[0], plane = step.loops[1];
  for (Count j = plane.count; j > 0; --j) {
    wire = copy_packed_row<Direction, Block>(block, memory, row.stride, wire, row.count);
    memory += plane.stride;
  }
  return wire;
}

template <class Direction, class Block>
void copy_nest(const Step& step, typename Direction::Memory memory, typename Direction::Wire wire) {
  const Canonical::Dim box = step.loops[2];
  for (Count k = box.count; k > 0; --k) {
    wire = copy_plane<Direction, Block>(step, memory, wire);
    memory += box.stride;
  }
}

template <class Block>
[[gnu::noinline]] std::byte* pack_odd_plane(const Step& step, const std::byte* memory, std::byte* wire) {
  const Canonical::Dim row = step.loops[0], plane = step.loops[1];
  for (Count j = plane.count; j > 0; --j) {
    pack_odd_row<static_cast<std::size_t>(Block::bytes())>(memory, row.stride, wire, row.count);
    memory += plane.stride;
    wire += row.count * Block::bytes();
  }
  return wire;
}

template <class Block>
void pack_odd(const Step& step, const std::byte* memory, std::byte* wire) {
  const Canonical::Dim box = step.loops[2];
  for (Count k = box.count; k > 0; --k) {
    wire = pack_odd_plane<Block>(step, memory, wire);
    memory += box.stride;
  }
}

/// The blocks of a transpose: `columns` of them are neighbours in memory, `next` bytes apart, and a row apart
/// on the wire; `rows` are neighbours on the wire and `stride` bytes apart in memory.
template <class Direction, class Block>
struct Transpose {
  using Memory = typename Direction::Memory;
  using Wire = typename Direction::Wire;

  /// So many rows are a cache line of the wire.
  static constexpr Count tile = std::max<Count>(4, 64 / Block::bytes());

  Count stride;
  Count next;
  Count row_bytes;  ///< Of the wire.

  void copy_one_column(Memory memory, Wire wire, Count rows) const {
    copy_row<Direction, Block>(Block(0), memory, stride, wire, Block::bytes(), rows);
  }
  void copy_four_columns(Memory memory, Wire wire, Count rows) const {
    for (; rows > 0; --rows) {
      copy_four<Direction, Block>([&](Count t) { return memory + t * next; }, wire, row_bytes);
      memory += stride;
      wire += Block::bytes();
    }
  }

  [[gnu::noinline]] void copy(Memory memory, Wire wire, Count rows, Count columns) const {
    const Transpose mine = *this;  // which nobody can take for bytes that are written
    for (; columns >= 4; columns -= 4) {
      mine.copy_four_columns(memory, wire, rows);
      memory += 4 * mine.next;
      wire += 4 * mine.row_bytes;
    }
    for (; columns > 0; --columns) {
      mine.copy_one_column(memory, wire, rows);
      memory += mine.next;
      wire += mine.row_bytes;
    }
  }

  /// A few rows at a time: what is a cache line on the wire is copied at once, and along the memory few pages
  /// are in use.
  void copy_in_tiles(Memory memory, Wire wire, Count rows, Count columns) const {
    for (; rows >= tile; rows -= tile) {
      copy(memory, wire, tile, columns);
      memory += tile * stride;
      wire += tile * Block::bytes();
    }
    if (rows > 0) copy(memory, wire, rows, columns);
  }

  /// Tiles jump on the wire. Beyond the caches what counts is that the side that is written is written in
  /// order. Smaller blocks would be too many columns for one tile.
  [[nodiscard]] bool goes_by_tiles(Count columns) const {
    constexpr Count cached_bytes = 131072;
    if (Block::bytes() < 8) return false;
    return std::is_same_v<Direction, FromWire> || columns * row_bytes <= cached_bytes;
  }
};

template <class Direction, class Block>
void copy_transposed(const Step& step, typename Direction::Memory memory, typename Direction::Wire wire) {
  const Canonical::Dim row = step.loops[0], plane = step.loops[1], box = step.loops[2];
  const Transpose<Direction, Block> transpose{row.stride, plane.stride, row.count * Block::bytes()};
  const bool tiles = transpose.goes_by_tiles(plane.count);
  for (Count k = box.count; k > 0; --k) {
    if (tiles)
      transpose.copy_in_tiles(memory, wire, row.count, plane.count);
    else
      transpose.copy(memory, wire, row.count, plane.count);
    memory += box.stride;
    wire += plane.count * transpose.row_bytes;
  }
}

/// A kernel out of a body for either direction.
template <auto packing, auto unpacking>
constexpr Kernel kernel_of{[](const void* context, const std::byte* base, std::byte* wire) {
                             const Step& step = *static_cast<const Step*>(context);
                             packing(step, at(base, step.offset), wire);
                           },
                           [](const void* context, const std::byte* wire, std::byte* base) {
                             const Step& step = *static_cast<const Step*>(context);
                             unpacking(step, at(base, step.offset), wire);
                           }};

template <class Block>
struct Line {
  static constexpr Kernel row = kernel_of<copy_line<ToWire, Block>, copy_line<FromWire, Block>>;
};
template <class Block>
struct Strided {
  static constexpr Kernel row = kernel_of<copy_nest<ToWire, Block>, copy_nest<FromWire, Block>>;
};

template <class Block>
constexpr Kernel single{[](const void* context, const std::byte* base, std::byte* wire) {
                          const Step& step = *static_cast<const Step*>(context);
                          Block(step.block).template copy<ToWire>(at(base, step.offset), wire);
                        },
                        [](const void* context, const std::byte* wire, std::byte* base) {
                          const Step& step = *static_cast<const Step*>(context);
                          Block(step.block).template copy<FromWire>(at(base, step.offset), wire);
                        }};

/// One block alone. Up to a cache line it is a few instructions, beyond that memcpy, which has the widest
/// registers of the machine.
template <class Block>
struct Single {
  static constexpr Kernel row = single<LargeBlock>;
};
template <std::size_t size>
requires(size <= 64) struct Single<FixedBlock<size>> {
  static constexpr Kernel row = single<FixedBlock<size>>;
};

template <std::size_t size>
constexpr Kernel odd = kernel_of<pack_odd<FixedBlock<size>>, copy_nest<FromWire, FixedBlock<size>>>;
constexpr std::array odd_kernels{Kernel(), Kernel(), Kernel(), odd<3>,  Kernel(), odd<5>,  odd<6>,  odd<7>,
                                 Kernel(), odd<9>,   odd<10>,  odd<11>, odd<12>,  odd<13>, odd<14>, odd<15>};

template <std::size_t size>
constexpr Kernel transposed =
    kernel_of<copy_transposed<ToWire, FixedBlock<size>>, copy_transposed<FromWire, FixedBlock<size>>>;

Kernel transposed_kernel(Count block) {
  switch (block) {
    case 1:
      return transposed<1>;
    case 2:
      return transposed<2>;
    case 4:
      return transposed<4>;
    case 8:
      return transposed<8>;
    case 16:
      return transposed<16>;
    default:
      return {};
  }
}

template <class Direction>
void repeat_body(const Step& step, std::size_t level, typename Direction::Memory memory,
                 typename Direction::Wire& wire) {
  if (level == step.outer.size()) {
    if constexpr (std::is_same_v<Direction, ToWire>)
      step.body->kernel.pack(step.body, memory, wire);
    else
      step.body->kernel.unpack(step.body, wire, memory);
    wire += step.body->bytes;
    return;
  }
  const auto [count, stride] = step.outer[level];
  for (Count i = 0; i < count; ++i) {
    repeat_body<Direction>(step, level + 1, memory, wire);
    memory = at(memory, stride);
  }
}

}  // namespace

Registers widest_registers() {
#ifdef HALOCLINE_WIDE_KERNELS
  static const bool wide = __builtin_cpu_supports("avx2");
  return wide ? Registers::wide : Registers::of_all_processors;
#else
  return Registers::of_all_processors;
#endif
}

Kernel strided_kernel(Count block, const std::array<Canonical::Dim, 3>& loops,
                      [[maybe_unused]] Registers registers) {
  const auto [row, plane, box] = loops;
  constexpr Count cache_line = 64;
  if (row.count == 1 && plane.count == 1 && box.count == 1) return RowsBySize<Single>::of(block);
  if (plane.count >= 4 && row.count > 1 && std::abs(plane.stride) < cache_line &&
      std::abs(plane.stride) < std::abs(row.stride))
    if (const Kernel kernel = transposed_kernel(block); kernel.pack != nullptr) return kernel;
  if (block < 16 && row.stride >= 16 && row.stride < page)
    if (const Kernel kernel = odd_kernels[to_index(block)]; kernel.pack != nullptr) return kernel;
#ifdef HALOCLINE_WIDE_KERNELS
  // Less takes as long by other registers, which need no clean-up behind them. Within the nearest cache
  // memcpy has the widest registers for long blocks; beyond it counts that no piece crosses a cache line.
  constexpr Count few_blocks = 8, few_bytes = 512, cached_bytes = 24576;
  const Count blocks = row.count * plane.count * box.count;
  const Count least_bytes = block <= most_medium ? few_bytes : cached_bytes;
  if (registers == Registers::wide && blocks >= few_blocks && blocks * block >= least_bytes)
    if (const Kernel kernel = wide_kernel(block); kernel.pack != nullptr) return kernel;
#endif
  return plane.count == 1 && box.count == 1 ? RowsBySize<Line>::of(block) : RowsBySize<Strided>::of(block);
}

Kernel loops_kernel() {
  return {[](const void* context, const std::byte* base, std::byte* wire) {
            repeat_body<ToWire>(*static_cast<const Step*>(context), 0, base, wire);
          },
          [](const void* context, const std::byte* wire, std::byte* base) {
            repeat_body<FromWire>(*static_cast<const Step*>(context), 0, base, wire);
          }};
}

}  // namespace halocline::compile
