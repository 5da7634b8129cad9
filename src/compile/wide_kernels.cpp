// Kernels for blocks of whole cache lines at regular distances, 32 bytes at a time: for processors with AVX2,
// which whoever calls this has to look for. Nothing here is shared with other files but plain structures:
// what is compiled for AVX2 must not be found by code for all processors.

#include "compile/wide_kernels.hpp"

#include <array>
#include <utility>

namespace halocline::compile {
namespace {

constexpr std::size_t width = 32;
constexpr std::size_t cache_line = 64;
constexpr std::size_t most_lines = 8;
/// From here on it pays to write where no piece crosses a cache line.
constexpr std::size_t least_aligned_pieces = 5;

void copy_piece(const std::byte* from, std::byte* to) {
  using Piece [[gnu::vector_size(width), gnu::aligned(1), gnu::may_alias]] = char;
  *reinterpret_cast<Piece*>(to) = *reinterpret_cast<const Piece*>(from);
}

void copy_half(const std::byte* from, std::byte* to) {
  using Half [[gnu::vector_size(width / 2), gnu::aligned(1), gnu::may_alias]] = char;
  *reinterpret_cast<Half*>(to) = *reinterpret_cast<const Half*>(from);
}

template <std::size_t count>
void copy_pieces(const std::byte* from, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) copy_piece(from + width * i, to + width * i);
}

template <std::size_t pieces>
void copy_block(const std::byte* from, std::byte* to) {
  if constexpr (pieces >= least_aligned_pieces) {
    if (const std::size_t skip = -reinterpret_cast<std::uintptr_t>(to) % width; skip != 0) {
      // The first piece and the last overlap those between them.
      copy_piece(from, to);
      copy_pieces<pieces - 1>(from + skip, to + skip);
      copy_piece(from + width * (pieces - 1), to + width * (pieces - 1));
      return;
    }
  } else if (reinterpret_cast<std::uintptr_t>(to) % width == width / 2) {
    // Half a piece never crosses a cache line here, every other whole one would.
    for (std::size_t i = 0; i < 2 * pieces; ++i) copy_half(from + width / 2 * i, to + width / 2 * i);
    return;
  }
  copy_pieces<pieces>(from, to);
}

template <std::size_t pieces, class Memory, class Wire>
Wire copy_row(Memory memory, Count stride, Wire wire, Count count) {
  for (; count > 0; --count) {
    if constexpr (std::is_same_v<Memory, const std::byte*>)
      copy_block<pieces>(memory, wire);
    else
      copy_block<pieces>(wire, memory);
    memory += stride;
    wire += width * pieces;
  }
  return wire;
}

/// A function of its own: three loops in one would not have enough registers.
template <std::size_t pieces, class Memory, class Wire>
[[gnu::noinline]] Wire copy_plane(const Step& step, Memory memory, Wire wire) {
  const Step::Dim row = step.loops[0], plane = step.loops[1];
  for (Count j = plane.count; j > 0; --j) {
    wire = copy_row<pieces>(memory, row.stride, wire, row.count);
    memory += plane.stride;
  }
  return wire;
}

template <std::size_t pieces, class Memory, class Wire>
void copy_nest(const Step& step, Memory base, Wire wire) {
  // On integers, because a base may be null and its offsets absolute.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto memory = reinterpret_cast<Memory>(reinterpret_cast<std::uintptr_t>(base) +
                                         static_cast<std::uintptr_t>(step.offset));
  const Step::Dim row = step.loops[0], plane = step.loops[1], box = step.loops[2];
  if (plane.count == 1 && box.count == 1) {
    copy_row<pieces>(memory, row.stride, wire, row.count);
    return;
  }
  for (Count k = box.count; k > 0; --k) {
    wire = copy_plane<pieces>(step, memory, wire);
    memory += box.stride;
  }
}

template <std::size_t pieces>
constexpr Kernel kernel{[](const void* context, const std::byte* base, std::byte* wire) {
                          copy_nest<pieces>(*static_cast<const Step*>(context), base, wire);
                        },
                        [](const void* context, const std::byte* wire, std::byte* base) {
                          copy_nest<pieces>(*static_cast<const Step*>(context), base, wire);
                        }};

template <std::size_t... before>
Kernel kernel_of_lines(std::size_t lines, std::index_sequence<before...>) {
  constexpr std::array kernels{kernel<(before + 1) * cache_line / width>...};
  return kernels[lines - 1];
}

}  // namespace

Kernel wide_kernel(Count block) {
  const auto size = static_cast<std::size_t>(block);
  if (size % cache_line != 0 || size == 0 || size > most_lines * cache_line) return {};
  return kernel_of_lines(size / cache_line, std::make_index_sequence<most_lines>());
}

}  // namespace halocline::compile
