// SPDX-License-Identifier: BSD-3-Clause
// How one block is copied, by its size: a constant size is a few instructions, up to 256 bytes a loop beats
// the call of memcpy, beyond that memcpy knows best. Both directions are one code, told apart by a Direction.
#pragma once

#include "base/index.hpp"
#include "halocline/base/count.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace halocline::compile {

/// From memory to the wire.
struct ToWire {
  using Memory = const std::byte*;
  using Wire = std::byte*;
  template <std::size_t bytes>
  static void copy(Memory memory, Wire wire) {
    std::memcpy(wire, memory, bytes);
  }
  static void copy(Memory memory, Wire wire, std::size_t bytes) { std::memcpy(wire, memory, bytes); }
};

/// From the wire to memory.
struct FromWire {
  using Memory = std::byte*;
  using Wire = const std::byte*;
  template <std::size_t bytes>
  static void copy(Memory memory, Wire wire) {
    std::memcpy(memory, wire, bytes);
  }
  static void copy(Memory memory, Wire wire, std::size_t bytes) { std::memcpy(memory, wire, bytes); }
};

/// What fits in one register, so that groups of blocks can be read before the first of them is written.
template <std::size_t size>
using Register = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<
        size == 2, std::uint16_t,
        std::conditional_t<size == 4, std::uint32_t,
                           std::conditional_t<size == 8, std::uint64_t, std::array<std::uint64_t, 2>>>>>;

constexpr Count most_fixed = 256;
constexpr Count most_medium = 512;

/// From here on it pays to write 16 bytes at a time where they do not cross a cache line. (Where that costs
/// more than to read across one.)
#ifdef __x86_64__
constexpr std::size_t least_aligned = 96;
#else
constexpr std::size_t least_aligned = std::numeric_limits<std::size_t>::max();
#endif

/// A block that begins `skip` bytes, 1 to 15, before memory that is aligned: what is between its ends is
/// written there. `inner` is how many pieces of 16 bytes are between the first and the last two, which may
/// overlap them.
template <std::size_t inner>
inline void unpack_aligned(std::byte* memory, const std::byte* wire, std::size_t size, std::size_t skip) {
  std::memcpy(memory, wire, 16);
  for (std::size_t i = 0; i < inner; ++i)
    std::memcpy(static_cast<std::byte*>(__builtin_assume_aligned(memory + skip + 16 * i, 16)),
                wire + skip + 16 * i, 16);
  std::memcpy(memory + size - 32, wire + size - 32, 16);
  std::memcpy(memory + size - 16, wire + size - 16, 16);
}
[[nodiscard]] inline std::size_t bytes_to_alignment(const std::byte* memory) {
  return -reinterpret_cast<std::uintptr_t>(memory) % 16;
}

/// A block of a size known to the compiler.
template <std::size_t size>
struct FixedBlock {
  static constexpr bool in_register = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  explicit FixedBlock(Count) {}
  [[nodiscard]] static constexpr Count bytes() { return size; }
  template <class Direction>
  void copy(typename Direction::Memory memory, typename Direction::Wire wire) const {
    constexpr std::size_t rest = size % 16;
    if constexpr (std::is_same_v<Direction, FromWire> && size >= least_aligned)
      if (const std::size_t skip = bytes_to_alignment(memory); skip != 0)
        return unpack_aligned<(size - 17) / 16>(memory, wire, size, skip);
    if constexpr (size < 16 || (rest & (rest - 1)) == 0) {
      Direction::template copy<size>(memory, wire);
    } else {
      // What would take two pieces behind the last 16 bytes takes one that overlaps them.
      Direction::template copy<size - rest>(memory, wire);
      Direction::template copy<16>(memory + size - 16, wire + size - 16);
    }
  }
};

/// A block of a size that is known when it is copied.
struct SizedBlock {
  static constexpr bool in_register = false;
  Count size;
  explicit SizedBlock(Count of) : size(of) {}
  [[nodiscard]] Count bytes() const { return size; }
};

/// A block of 16 * (pieces - 1) + 1 to 16 * pieces bytes, without a loop: the last piece overlaps the one
/// before it.
template <std::size_t pieces>
struct PiecewiseBlock : SizedBlock {
  using SizedBlock::SizedBlock;
  template <class Direction>
  void copy(typename Direction::Memory memory, typename Direction::Wire wire) const {
    if constexpr (std::is_same_v<Direction, FromWire> && 16 * (pieces - 1) >= least_aligned)
      if (const std::size_t skip = bytes_to_alignment(memory); skip != 0)
        return unpack_aligned<pieces - 2>(memory, wire, static_cast<std::size_t>(size), skip);
    Direction::template copy<16 * (pieces - 1)>(memory, wire);
    Direction::template copy<16>(memory + size - 16, wire + size - 16);
  }
};

/// A block of 16 to a few hundred bytes: 64 or 16 at a time, the last of them overlapping.
struct MediumBlock : SizedBlock {
  using SizedBlock::SizedBlock;
  template <class Direction>
  void copy(typename Direction::Memory memory, typename Direction::Wire wire) const {
    const Count last = size - 16;
    Count i = 0;
    for (; i + 64 <= size; i += 64) Direction::template copy<64>(memory + i, wire + i);
    for (; i < last; i += 16) Direction::template copy<16>(memory + i, wire + i);
    Direction::template copy<16>(memory + last, wire + last);
  }
};

/// A block of some hundred bytes. memcpy aligns what it reads, which counts where rows of an array begin
/// anywhere; what is read from the wire is aligned more often than not, and its loop is ahead if it aligns
/// what it writes.
struct LongBlock : SizedBlock {
  using SizedBlock::SizedBlock;
  template <class Direction>
  void copy(typename Direction::Memory memory, typename Direction::Wire wire) const {
    if constexpr (std::is_same_v<Direction, ToWire>) {
      Direction::copy(memory, wire, static_cast<std::size_t>(size));
    } else {
      Count skip = 0;
      if constexpr (static_cast<std::size_t>(most_fixed) >= least_aligned) {
        skip = static_cast<Count>(bytes_to_alignment(memory));
        if (skip > 0) Direction::template copy<16>(memory, wire);
      }
      MediumBlock(size - skip).copy<Direction>(memory + skip, wire + skip);
    }
  }
};

struct LargeBlock : SizedBlock {
  using SizedBlock::SizedBlock;
  template <class Direction>
  void copy(typename Direction::Memory memory, typename Direction::Wire wire) const {
    Direction::copy(memory, wire, static_cast<std::size_t>(size));
  }
};

/// A block of any size, each of another one.
template <class Direction>
inline void copy_run(typename Direction::Memory memory, typename Direction::Wire wire, Count bytes) {
  if (bytes >= 16) {
    if (bytes > most_medium || (bytes > most_fixed && std::is_same_v<Direction, ToWire>))
      return Direction::copy(memory, wire, static_cast<std::size_t>(bytes));
    return MediumBlock(bytes).copy<Direction>(memory, wire);
  }
  if (bytes >= 8) {
    Direction::template copy<8>(memory, wire);
    return Direction::template copy<8>(memory + bytes - 8, wire + bytes - 8);
  }
  if (bytes >= 4) {
    Direction::template copy<4>(memory, wire);
    return Direction::template copy<4>(memory + bytes - 4, wire + bytes - 4);
  }
  for (Count i = 0; i < bytes; ++i) Direction::template copy<1>(memory + i, wire + i);
}

/// Sizes that get code of their own: all up to 16, multiples of 4 up to 64, of 8 up to 256.
constexpr bool has_fixed_block(std::size_t size) {
  return size > 0 && size <= most_fixed && (size <= 16 || (size <= 64 && size % 4 == 0) || size % 8 == 0);
}

/// For each block size a row Kernel<Block>::row, in constant time.
template <template <class> class Kernel>
class RowsBySize {
 public:
  using Row = decltype(Kernel<LargeBlock>::row);

  [[nodiscard]] static const Row& of(Count block) {
    if (block > most_medium) return Kernel<LargeBlock>::row;
    if (block > most_fixed) return Kernel<LongBlock>::row;
    return *fixed[to_index(block)];
  }

 private:
  template <std::size_t size>
  static constexpr const Row* row_of() {
    if constexpr (has_fixed_block(size))
      return &Kernel<FixedBlock<size>>::row;
    else if constexpr (size > 16)
      return &Kernel<PiecewiseBlock<(size + 15) / 16>>::row;
    else
      return &Kernel<LargeBlock>::row;
  }
  template <std::size_t... sizes>
  static constexpr std::array<const Row*, sizeof...(sizes)> rows(std::index_sequence<sizes...>) {
    return {row_of<sizes>()...};
  }
  static constexpr auto fixed = rows(std::make_index_sequence<most_fixed + 1>());
};

}  // namespace halocline::compile
