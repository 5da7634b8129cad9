// Kernels for blocks at the offsets of a list.

#include "compile/block_copy.hpp"
#include "compile/step.hpp"

namespace halocline::compile {
namespace {

template <class Way, class Block, class Entry>
void copy_blocks(const Step& step, typename Way::Memory memory, typename Way::Wire wire) {
  const Block block(step.block);
  const auto* const offsets = static_cast<const Entry*>(step.entries);
  const Count count = step.entry_count;
  Count i = 0;
  if constexpr (Block::small) {
    struct Value {
      std::byte bytes[static_cast<std::size_t>(Block::bytes())];
    };
    for (; i + 4 <= count; i += 4) {
      Value a, b, c, d;
      if constexpr (std::is_same_v<Way, Packing>) {
        std::memcpy(&a, memory + offsets[i], sizeof a);
        std::memcpy(&b, memory + offsets[i + 1], sizeof a);
        std::memcpy(&c, memory + offsets[i + 2], sizeof a);
        std::memcpy(&d, memory + offsets[i + 3], sizeof a);
        std::memcpy(wire, &a, sizeof a);
        std::memcpy(wire + sizeof a, &b, sizeof a);
        std::memcpy(wire + 2 * sizeof a, &c, sizeof a);
        std::memcpy(wire + 3 * sizeof a, &d, sizeof a);
      } else {
        const std::array<Entry, 4> to{offsets[i], offsets[i + 1], offsets[i + 2], offsets[i + 3]};
        std::memcpy(&a, wire, sizeof a);
        std::memcpy(&b, wire + sizeof a, sizeof a);
        std::memcpy(&c, wire + 2 * sizeof a, sizeof a);
        std::memcpy(&d, wire + 3 * sizeof a, sizeof a);
        std::memcpy(memory + to[0], &a, sizeof a);
        std::memcpy(memory + to[1], &b, sizeof a);
        std::memcpy(memory + to[2], &c, sizeof a);
        std::memcpy(memory + to[3], &d, sizeof a);
      }
      wire += 4 * sizeof a;
    }
  }
  for (; i < count; ++i) {
    block.template copy<Way>(memory + offsets[i], wire);
    wire += block.bytes();
  }
}

template <class Block, class Entry>
struct Blocks {
  static void pack(const void* context, const std::byte* base, std::byte* wire) {
    const Step& step = *static_cast<const Step*>(context);
    copy_blocks<Packing, Block, Entry>(step, at(base, step.offset), wire);
  }
  static void unpack(const void* context, const std::byte* wire, std::byte* base) {
    const Step& step = *static_cast<const Step*>(context);
    copy_blocks<Unpacking, Block, Entry>(step, at(base, step.offset), wire);
  }
  static constexpr Kernel row{pack, unpack};
};
template <class Block>
struct NarrowBlocks : Blocks<Block, std::int32_t> {};

template <class Way, class Entry>
void copy_runs(const Step& step, typename Way::Memory memory, typename Way::Wire wire) {
  const auto* const offsets = static_cast<const Entry*>(step.entries);
  const auto* const lengths = offsets + step.length_distance;
  const Count count = step.entry_count;
  for (Count i = 0; i < count; ++i) {
    const Count bytes = lengths[i];
    copy_run<Way>(memory + offsets[i], wire, bytes);
    wire += bytes;
  }
}

template <class Entry>
constexpr Kernel runs_of_entries{[](const void* context, const std::byte* base, std::byte* wire) {
                                   const Step& step = *static_cast<const Step*>(context);
                                   copy_runs<Packing, Entry>(step, at(base, step.offset), wire);
                                 },
                                 [](const void* context, const std::byte* wire, std::byte* base) {
                                   const Step& step = *static_cast<const Step*>(context);
                                   copy_runs<Unpacking, Entry>(step, at(base, step.offset), wire);
                                 }};

}  // namespace

Kernel blocks_kernel(Count block, bool narrow) {
  if (narrow) return BlockTable<NarrowBlocks>::of(block);
  // Offsets beyond 32 bits are rare: no code for every size.
  switch (block) {
    case 4:
      return Blocks<FixedBlock<4>, std::int64_t>::row;
    case 8:
      return Blocks<FixedBlock<8>, std::int64_t>::row;
    case 16:
      return Blocks<FixedBlock<16>, std::int64_t>::row;
    default:
      return Blocks<LargeBlock, std::int64_t>::row;
  }
}

Kernel runs_kernel(bool narrow) {
  return narrow ? runs_of_entries<std::int32_t> : runs_of_entries<std::int64_t>;
}

}  // namespace halocline::compile
