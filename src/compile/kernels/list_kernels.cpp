// SPDX-License-Identifier: BSD-3-Clause
// Kernels for blocks at the offsets of a list.

#include "compile/kernels/row_copy.hpp"
#include "compile/kernels/step.hpp"

namespace halocline::compile {
namespace {

template <class Direction, class Block, class Entry>
void copy_blocks(const Step& step, typename Direction::Memory memory, typename Direction::Wire wire) {
  const Block block(step.block);
  const auto* const offsets = static_cast<const Entry*>(step.entries);
  const Count count = step.entry_count;
  Count i = 0;
  if constexpr (Block::in_register) {
    for (; i + 4 <= count; i += 4) {
      copy_four<Direction, Block>([&](Count j) { return memory + offsets[i + j]; }, wire, block.bytes());
      wire += 4 * block.bytes();
    }
  }
  for (; i < count; ++i) {
    block.template copy<Direction>(memory + offsets[i], wire);
    wire += block.bytes();
  }
}

template <class Block, class Entry>
struct BlockKernel {
  static void pack(const void* context, const std::byte* base, std::byte* wire) {
    const Step& step = *static_cast<const Step*>(context);
    copy_blocks<ToWire, Block, Entry>(step, at(base, step.offset), wire);
  }
  static void unpack(const void* context, const std::byte* wire, std::byte* base) {
    const Step& step = *static_cast<const Step*>(context);
    copy_blocks<FromWire, Block, Entry>(step, at(base, step.offset), wire);
  }
  static constexpr Kernel row{pack, unpack};
};
template <class Block>
struct NarrowBlocks : BlockKernel<Block, std::int32_t> {};

template <class Direction, class Entry>
void copy_runs(const Step& step, typename Direction::Memory memory, typename Direction::Wire wire) {
  const auto* const offsets = static_cast<const Entry*>(step.entries);
  const auto* const lengths = offsets + step.length_distance;
  const Count count = step.entry_count;
  for (Count i = 0; i < count; ++i) {
    const Count bytes = lengths[i];
    copy_run<Direction>(memory + offsets[i], wire, bytes);
    wire += bytes;
  }
}

template <class Entry>
constexpr Kernel runs_of_entries{[](const void* context, const std::byte* base, std::byte* wire) {
                                   const Step& step = *static_cast<const Step*>(context);
                                   copy_runs<ToWire, Entry>(step, at(base, step.offset), wire);
                                 },
                                 [](const void* context, const std::byte* wire, std::byte* base) {
                                   const Step& step = *static_cast<const Step*>(context);
                                   copy_runs<FromWire, Entry>(step, at(base, step.offset), wire);
                                 }};

}  // namespace

Kernel blocks_kernel(Count block, bool narrow) {
  if (narrow) return RowsBySize<NarrowBlocks>::of(block);
  // Offsets beyond 32 bits are rare: no code for every size.
  switch (block) {
    case 4:
      return BlockKernel<FixedBlock<4>, std::int64_t>::row;
    case 8:
      return BlockKernel<FixedBlock<8>, std::int64_t>::row;
    case 16:
      return BlockKernel<FixedBlock<16>, std::int64_t>::row;
    default:
      return BlockKernel<LargeBlock, std::int64_t>::row;
  }
}

Kernel runs_kernel(bool narrow) {
  return narrow ? runs_of_entries<std::int32_t> : runs_of_entries<std::int64_t>;
}

}  // namespace halocline::compile
