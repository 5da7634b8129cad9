// SPDX-License-Identifier: BSD-3-Clause
// What a precompiled kernel needs to know: one step of a packing program.
#pragma once

#include "compile/kernels/address.hpp"
#include "compile/kernels/code.hpp"

#include <array>

namespace halocline::compile {

/// A kernel in both directions; its context is a Step.
struct Kernel {
  Code::Pack* pack = nullptr;
  Code::Unpack* unpack = nullptr;
};

struct Step {
  using Dim = Canonical::Dim;
  enum class Kind { strided, blocks, runs, columns, loops };

  Kernel kernel;
  Count offset = 0;                                           ///< Of the first block, from the base.
  Count block = 0;                                            ///< Bytes of each block.
  std::array<Dim, 3> loops{Dim{1, 0}, Dim{1, 0}, Dim{1, 0}};  ///< Around the block, the innermost first.
  const void* entries = nullptr;                              ///< Of a list.
  Count entry_count = 0;
  Count length_distance = 0;   ///< From the offset of a run in the list to its length.
  const Step* body = nullptr;  ///< What outer loops repeat.
  std::span<const Dim> outer;  ///< Those loops, the outermost first.
  Count wire = 0;              ///< Where in the stream.
  Count bytes = 0;             ///< Of the stream.
  Kind kind = Kind::strided;
  bool narrow = true;  ///< A list of 32-bit numbers, otherwise of 64-bit ones.
  /// Of a long list of runs: where in its stream every `marked_runs`-th of them begins.
  static constexpr Count marked_runs = 64;
  const Count* marks = nullptr;
};

/// What kernels copy with: wide ones have 32 bytes.
enum class Registers { of_all_processors, wide };
[[nodiscard]] Registers widest_registers();

/// Equal blocks under up to three loops.
[[nodiscard]] Kernel strided_kernel(Count block, const std::array<Canonical::Dim, 3>& loops,
                                    Registers registers = widest_registers());
/// Equal blocks at the offsets of a list.
[[nodiscard]] Kernel blocks_kernel(Count block, bool narrow);
/// Runs of different length.
[[nodiscard]] Kernel runs_kernel(bool narrow);
/// A short list under a loop, column by column: `loops[0]` around the list, `block` bytes for each round.
[[nodiscard]] Kernel columns_kernel();
/// Outer loops around another step.
[[nodiscard]] Kernel loops_kernel();

/// One run of the list of a columns step.
struct Column {
  using Copy = void(Count count, const std::byte* memory, Count memory_stride, std::byte* wire,
                    Count wire_stride, Count block);
  using CopyBack = void(Count count, std::byte* memory, Count memory_stride, const std::byte* wire,
                        Count wire_stride, Count block);
  Count memory;  ///< Offset from the first run.
  Count wire;    ///< Offset in the stream of one round.
  Count block;
  Copy* copy;
  CopyBack* copy_back;
};
/// With the functions for its size.
[[nodiscard]] Column column(Count memory, Count wire, Count block);

}  // namespace halocline::compile
