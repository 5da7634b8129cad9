// Kernels for one list of moves each, as somebody would write them who knows nothing else: addresses, strides
// and counts are constants, and reads and writes are as wide as either side allows. What the transfer kernel,
// which reads all of that from a table, is compared with.
#pragma once

#include "accelerate/kernel/moves.hpp"

#include <string>
#include <vector>

namespace halocline::bench {

/// Threads of a block, and words that each of them moves.
inline constexpr unsigned made_threads = 256, made_words = 4, made_ragged_words = 2;

/// A kernel as the source of CUDA C++ that includes nothing.
struct MadeKernel {
  std::string source;
  Count blocks;
};

/// How rows go of which one memory is not aligned to words of 4 bytes.
enum class MadeRows {
  as_aligned,  ///< By what either side is aligned to.
  ragged,      ///< By aligned words of 8 bytes in both memories, two that are read for one that is written.
};
/// Is there a row for which both are not the same?
[[nodiscard]] bool has_ragged_rows(const std::vector<accelerate::Move>& moves);

/// What all of them need, once.
[[nodiscard]] std::string made_preamble();
/// `name(from, to)` with the moves' addresses counted from those two, which are aligned to 16 bytes.
[[nodiscard]] MadeKernel made_kernel(const std::string& name, const std::vector<accelerate::Move>& moves,
                                     MadeRows rows);

}  // namespace halocline::bench
