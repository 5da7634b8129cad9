// SPDX-License-Identifier: BSD-3-Clause
// The innermost loop of the kernels: a row of equal blocks.
#pragma once

#include "compile/kernels/block_copy.hpp"

namespace halocline::compile {

/// A block in a register on its way from one side to the other.
template <class Direction, std::size_t size>
inline Register<size> read_block(typename Direction::Memory memory, typename Direction::Wire wire) {
  Register<size> value;
  std::memcpy(&value, std::is_same_v<Direction, ToWire> ? memory : wire, size);
  return value;
}
template <class Direction, std::size_t size>
inline void write_block(const Register<size>& value, typename Direction::Memory memory,
                        typename Direction::Wire wire) {
  if constexpr (std::is_same_v<Direction, ToWire>)
    std::memcpy(wire, &value, size);
  else
    std::memcpy(memory, &value, size);
}

/// Four blocks that fit in registers, all read before the first is written: the compiler can pair their loads
/// and stores.
template <class Direction, class Block, class MemoryAt>
inline void copy_four(const MemoryAt& memory_at, typename Direction::Wire wire, Count wire_stride) {
  constexpr auto size = static_cast<std::size_t>(Block::bytes());
  const typename Direction::Memory m0 = memory_at(0), m1 = memory_at(1), m2 = memory_at(2), m3 = memory_at(3);
  const auto a = read_block<Direction, size>(m0, wire);
  const auto b = read_block<Direction, size>(m1, wire + wire_stride);
  const auto c = read_block<Direction, size>(m2, wire + 2 * wire_stride);
  const auto d = read_block<Direction, size>(m3, wire + 3 * wire_stride);
  write_block<Direction, size>(a, m0, wire);
  write_block<Direction, size>(b, m1, wire + wire_stride);
  write_block<Direction, size>(c, m2, wire + 2 * wire_stride);
  write_block<Direction, size>(d, m3, wire + 3 * wire_stride);
}

/// `count` blocks at regular distances on both sides.
template <class Direction, class Block>
inline void copy_row(const Block& block, typename Direction::Memory memory, Count memory_stride,
                     typename Direction::Wire wire, Count wire_stride, Count count) {
  if constexpr (Block::in_register) {
    for (; count >= 4; count -= 4) {
      copy_four<Direction, Block>([&](Count j) { return memory + j * memory_stride; }, wire, wire_stride);
      memory += 4 * memory_stride;
      wire += 4 * wire_stride;
    }
  }
  for (; count > 0; --count) {
    block.template copy<Direction>(memory, wire);
    memory += memory_stride;
    wire += wire_stride;
  }
}

}  // namespace halocline::compile
