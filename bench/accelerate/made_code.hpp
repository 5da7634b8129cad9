// Kernels for one list of moves each, as somebody would write them who knows nothing else: addresses, strides
// and counts are constants, and reads and writes are as wide as either side allows. What the transfer kernel,
// which reads all of that from a table, is compared with.
#pragma once

#include "accelerate/kernel/moves.hpp"

#include <string>
#include <vector>

namespace halocline::bench {

/// Threads of a block, and words that each of them moves.
inline constexpr unsigned made_threads = 256, made_words = 4;

/// A kernel as the source of CUDA C++ that includes nothing.
struct MadeKernel {
  std::string source;
  Count blocks;
};

/// What all of them need, once.
[[nodiscard]] std::string made_preamble();
/// `name(from, to)` with the moves' addresses counted from those two.
[[nodiscard]] MadeKernel made_kernel(const std::string& name, const std::vector<accelerate::Move>& moves);

}  // namespace halocline::bench
