// SPDX-License-Identifier: BSD-3-Clause
// Kernels for arrays of structures: a few runs, repeated many times. Column by column each run has a constant
// size and regular distances on both sides; a few rounds at a time, so that they stay in the cache.

#include "compile/kernels/row_copy.hpp"
#include "compile/kernels/step.hpp"

#include <algorithm>

namespace halocline::compile {
namespace {

/// As many rounds as touch about this much memory.
constexpr Count cached_bytes = 8192;

template <class Direction, class Block>
void copy_column(Count count, typename Direction::Memory memory, Count memory_stride,
                 typename Direction::Wire wire, Count wire_stride, Count bytes) {
  copy_row<Direction, Block>(Block(bytes), memory, memory_stride, wire, wire_stride, count);
}

struct ColumnCopies {
  Column::Copy* copy;
  Column::CopyBack* copy_back;
};

template <class Block>
struct OneColumn {
  static constexpr ColumnCopies row{copy_column<ToWire, Block>, copy_column<FromWire, Block>};
};

template <class Direction>
void copy_columns(const Step& step, typename Direction::Memory memory, typename Direction::Wire wire) {
  const std::span columns(static_cast<const Column*>(step.entries),
                          static_cast<std::size_t>(step.entry_count));
  const auto [count, stride] = step.loops[0];
  const Count chunk = std::max<Count>(cached_bytes / step.block, 16);
  for (Count done = 0; done < count; done += chunk) {
    const Count rounds = std::min(chunk, count - done);
    for (const Column& column : columns) {
      const typename Direction::Memory from = memory + column.memory;
      const typename Direction::Wire to = wire + column.wire;
      if constexpr (std::is_same_v<Direction, ToWire>)
        column.copy(rounds, from, stride, to, step.block, column.block);
      else
        column.copy_back(rounds, from, stride, to, step.block, column.block);
    }
    memory += rounds * stride;
    wire += rounds * step.block;
  }
}

}  // namespace

Column column(Count memory, Count wire, Count block) {
  const ColumnCopies copies = RowsBySize<OneColumn>::of(block);
  return {memory, wire, block, copies.copy, copies.copy_back};
}

Kernel columns_kernel() {
  return {[](const void* context, const std::byte* base, std::byte* wire) {
            const Step& step = *static_cast<const Step*>(context);
            copy_columns<ToWire>(step, at(base, step.offset), wire);
          },
          [](const void* context, const std::byte* wire, std::byte* base) {
            const Step& step = *static_cast<const Step*>(context);
            copy_columns<FromWire>(step, at(base, step.offset), wire);
          }};
}

}  // namespace halocline::compile
