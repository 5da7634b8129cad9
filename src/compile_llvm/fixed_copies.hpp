// SPDX-License-Identifier: BSD-3-Clause
// A term taken apart: loops around copies of a register each.
#pragma once

#include "compile_llvm/copy_writer.hpp"

namespace halocline::compile_llvm {

/// One load and one store, or one call of memcpy if it is longer than the registers allow.
struct FixedCopy {
  std::int64_t memory;  ///< Distances in bytes from where the loops stand.
  std::int64_t wire;
  std::int64_t bytes;
};
using FixedCopies = std::vector<FixedCopy>;

/// Blocks longer than this are left to memcpy.
constexpr std::int64_t longest_inline = 512;

/// The loops of a term, the innermost last, with what happens inside.
struct Nest {
  struct Loop {
    std::int64_t count;
    std::int64_t memory;  ///< Strides in bytes.
    std::int64_t wire;
  };
  std::vector<Loop> loops;
  FixedCopies body;
  std::int64_t wire_bytes;  ///< Of the whole term.
};

/// Nothing if the term needs more than most_copies_a_term copies. Short inner loops are unrolled.
[[nodiscard]] std::optional<Nest> nest_of(const GeneratorTerm& term, const ProcessorRegisters& registers);

/// Appends the copies of one block.
void split_block(std::int64_t memory, std::int64_t wire, std::int64_t bytes, std::int64_t vector_bytes,
                 FixedCopies& copies);

/// The copies `times` times, one after the other.
[[nodiscard]] FixedCopies repeated(const FixedCopies& body, std::int64_t times, std::int64_t memory_stride,
                                   std::int64_t wire_stride);

}  // namespace halocline::compile_llvm
