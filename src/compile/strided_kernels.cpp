// Kernels for blocks at regular distances.

#include "compile/block_copy.hpp"
#include "compile/step.hpp"

namespace halocline::compile {
namespace {

/// A row of blocks. Small ones are read in groups, so that the compiler can pair their stores.
template <class Way, class Block>
inline typename Way::Wire copy_row(const Block& block, typename Way::Memory memory, typename Way::Wire wire,
                                   Count count, Count stride) {
  Count i = 0;
  if constexpr (Block::small) {
    struct Value {
      std::byte bytes[static_cast<std::size_t>(Block::bytes())];
    };
    for (; i + 4 <= count; i += 4) {
      Value a, b, c, d;
      if constexpr (std::is_same_v<Way, Packing>) {
        std::memcpy(&a, memory, sizeof a);
        std::memcpy(&b, memory + stride, sizeof a);
        std::memcpy(&c, memory + 2 * stride, sizeof a);
        std::memcpy(&d, memory + 3 * stride, sizeof a);
        std::memcpy(wire, &a, sizeof a);
        std::memcpy(wire + sizeof a, &b, sizeof a);
        std::memcpy(wire + 2 * sizeof a, &c, sizeof a);
        std::memcpy(wire + 3 * sizeof a, &d, sizeof a);
      } else {
        std::memcpy(&a, wire, sizeof a);
        std::memcpy(&b, wire + sizeof a, sizeof a);
        std::memcpy(&c, wire + 2 * sizeof a, sizeof a);
        std::memcpy(&d, wire + 3 * sizeof a, sizeof a);
        std::memcpy(memory, &a, sizeof a);
        std::memcpy(memory + stride, &b, sizeof a);
        std::memcpy(memory + 2 * stride, &c, sizeof a);
        std::memcpy(memory + 3 * stride, &d, sizeof a);
      }
      memory += 4 * stride;
      wire += 4 * sizeof a;
    }
  }
  for (; i < count; ++i) {
    block.template copy<Way>(memory, wire);
    memory += stride;
    wire += block.bytes();
  }
  return wire;
}

template <class Way, class Block>
void copy_nest(const Step& step, typename Way::Memory memory, typename Way::Wire wire) {
  const Block block(step.block);
  const auto [row, plane, box] = step.loops;
  for (Count k = 0; k < box.count; ++k) {
    typename Way::Memory from = memory;
    for (Count j = 0; j < plane.count; ++j) {
      wire = copy_row<Way, Block>(block, from, wire, row.count, row.stride);
      from += plane.stride;
    }
    memory += box.stride;
  }
}

template <class Block>
struct Strided {
  static void pack(const void* context, const std::byte* base, std::byte* wire) {
    const Step& step = *static_cast<const Step*>(context);
    copy_nest<Packing, Block>(step, at(base, step.offset), wire);
  }
  static void unpack(const void* context, const std::byte* wire, std::byte* base) {
    const Step& step = *static_cast<const Step*>(context);
    copy_nest<Unpacking, Block>(step, at(base, step.offset), wire);
  }
  static constexpr Kernel row{pack, unpack};
};

template <class Way>
void repeat_body(const Step& step, std::size_t level, typename Way::Memory memory, typename Way::Wire& wire) {
  if (level == step.outer.size()) {
    if constexpr (std::is_same_v<Way, Packing>)
      step.body->kernel.pack(step.body, memory, wire);
    else
      step.body->kernel.unpack(step.body, wire, memory);
    wire += step.body->bytes;
    return;
  }
  const auto [count, stride] = step.outer[level];
  for (Count i = 0; i < count; ++i) {
    repeat_body<Way>(step, level + 1, memory, wire);
    memory = at(memory, stride);
  }
}

}  // namespace

Kernel strided_kernel(Count block) { return BlockTable<Strided>::of(block); }

Kernel loops_kernel() {
  return {[](const void* context, const std::byte* base, std::byte* wire) {
            repeat_body<Packing>(*static_cast<const Step*>(context), 0, base, wire);
          },
          [](const void* context, const std::byte* wire, std::byte* base) {
            repeat_body<Unpacking>(*static_cast<const Step*>(context), 0, base, wire);
          }};
}

}  // namespace halocline::compile
