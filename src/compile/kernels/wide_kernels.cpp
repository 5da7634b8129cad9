// SPDX-License-Identifier: BSD-3-Clause
// Kernels for blocks at regular distances, 32 bytes at a time: for processors with AVX2,
// which whoever calls this has to look for. Nothing here is shared with other files but plain structures:
// what is compiled for AVX2 must not be found by code for all processors.

#include "compile/kernels/wide_kernels.hpp"

#include <array>
#include <utility>

namespace halocline::compile {
namespace {

constexpr std::size_t width = 32;
constexpr std::size_t cache_line = 64;
constexpr std::size_t most_lines = 8;
/// Longer ones are left to memcpy.
constexpr std::size_t most_bytes = 3072;
/// From here on it pays to write where no piece crosses a cache line.
constexpr std::size_t least_aligned_pieces = 5;

template <std::size_t size>
void copy_vector(const std::byte* from, std::byte* to) {
  using Vector [[gnu::vector_size(size), gnu::aligned(1), gnu::may_alias]] = char;
  *reinterpret_cast<Vector*>(to) = *reinterpret_cast<const Vector*>(from);
}

template <std::size_t count>
void copy_pieces(const std::byte* from, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) copy_vector<width>(from + width * i, to + width * i);
}

/// A block of whole cache lines.
template <std::size_t pieces>
class Lines {
 public:
  explicit Lines(Count) {}
  [[nodiscard]] static constexpr Count bytes() { return width * pieces; }
  void copy(const std::byte* from, std::byte* to) const {
    if constexpr (pieces >= least_aligned_pieces) {
      if (const std::size_t skip = -reinterpret_cast<std::uintptr_t>(to) % width; skip != 0) {
        // The first piece and the last overlap those between them.
        copy_vector<width>(from, to);
        copy_pieces<pieces - 1>(from + skip, to + skip);
        copy_vector<width>(from + width * (pieces - 1), to + width * (pieces - 1));
        return;
      }
    } else if (reinterpret_cast<std::uintptr_t>(to) % width == width / 2) {
      // Half a piece never crosses a cache line here, every other whole one would.
      for (std::size_t i = 0; i < 2 * pieces; ++i)
        copy_vector<width / 2>(from + width / 2 * i, to + width / 2 * i);
      return;
    }
    copy_pieces<pieces>(from, to);
  }
};

/// A block of so many pieces and a few more bytes, at most `last`: these are copied by a smaller piece that
/// overlaps the one before it. What crosses a cache line costs less here than to look for it.
template <std::size_t pieces, std::size_t last>
class SeveralPieces {
 public:
  explicit SeveralPieces(Count bytes) : bytes_(bytes) {}
  [[nodiscard]] Count bytes() const { return bytes_; }
  void copy(const std::byte* from, std::byte* to) const {
    copy_pieces<pieces>(from, to);
    copy_vector<last>(from + bytes_ - last, to + bytes_ - last);
  }

 private:
  Count bytes_;
};

/// A block of many cache lines, of any number of bytes.
class ManyLines {
 public:
  explicit ManyLines(Count bytes) : bytes_(bytes) {}
  [[nodiscard]] Count bytes() const { return bytes_; }
  void copy(const std::byte* from, std::byte* to) const {
    constexpr std::size_t at_once = 4;
    const auto size = static_cast<std::size_t>(bytes_), last = size - width;
    std::size_t i = -reinterpret_cast<std::uintptr_t>(to) % width;
    copy_vector<width>(from, to);
    for (; i + at_once * width <= size; i += at_once * width) copy_pieces<at_once>(from + i, to + i);
    for (; i < last; i += width) copy_vector<width>(from + i, to + i);
    copy_vector<width>(from + last, to + last);
  }

 private:
  Count bytes_;
};

template <class Block, class Memory, class Wire>
Wire copy_row(const Block& block, Memory memory, Count stride, Wire wire, Count count) {
  for (; count > 0; --count) {
    if constexpr (std::is_same_v<Memory, const std::byte*>)
      block.copy(memory, wire);
    else
      block.copy(wire, memory);
    memory += stride;
    wire += block.bytes();
  }
  return wire;
}

/// A function of its own: three loops in one would not have enough registers.
template <class Block, class Memory, class Wire>
[[gnu::noinline]] Wire copy_plane(const Step& step, Memory memory, Wire wire) {
  const Block block(step.block);
  const Step::Dim row = step.loops[0], plane = step.loops[1];
  for (Count j = plane.count; j > 0; --j) {
    wire = copy_row(block, memory, row.stride, wire, row.count);
    memory += plane.stride;
  }
  return wire;
}

template <class Block, class Memory, class Wire>
void copy_nest(const Step& step, Memory base, Wire wire) {
  // On integers, because a base may be null and its offsets absolute.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto memory = reinterpret_cast<Memory>(reinterpret_cast<std::uintptr_t>(base) +
                                         static_cast<std::uintptr_t>(step.offset));
  const Step::Dim row = step.loops[0], plane = step.loops[1], box = step.loops[2];
  if (plane.count == 1 && box.count == 1) {
    copy_row(Block(step.block), memory, row.stride, wire, row.count);
    return;
  }
  for (Count k = box.count; k > 0; --k) {
    wire = copy_plane<Block>(step, memory, wire);
    memory += box.stride;
  }
}

template <class Block>
constexpr Kernel kernel{[](const void* context, const std::byte* base, std::byte* wire) {
                          copy_nest<Block>(*static_cast<const Step*>(context), base, wire);
                        },
                        [](const void* context, const std::byte* wire, std::byte* base) {
                          copy_nest<Block>(*static_cast<const Step*>(context), base, wire);
                        }};

template <std::size_t... before>
Kernel kernel_of_lines(std::size_t lines, std::index_sequence<before...>) {
  constexpr std::array kernels{kernel<Lines<(before + 1) * cache_line / width>>...};
  return kernels[lines - 1];
}

/// Blocks that end within a piece.
template <std::size_t pieces>
Kernel kernel_of_pieces(std::size_t rest) {
  if (rest <= 8) return kernel<SeveralPieces<pieces, 8>>;
  return rest <= 16 ? kernel<SeveralPieces<pieces, 16>> : kernel<SeveralPieces<pieces, 32>>;
}

}  // namespace

Kernel wide_kernel(Count block) {
  const auto size = static_cast<std::size_t>(block);
  if (size > width && size < 2 * width) return kernel_of_pieces<1>(size % width);
  if (size > 2 * width && size < 3 * width) return kernel_of_pieces<2>(size % width);
  if (size > most_lines * cache_line && size <= most_bytes) return kernel<ManyLines>;
  if (size % cache_line != 0 || size == 0 || size > most_lines * cache_line) return {};
  return kernel_of_lines(size / cache_line, std::make_index_sequence<most_lines>());
}

}  // namespace halocline::compile
