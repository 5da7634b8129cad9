// SPDX-License-Identifier: BSD-3-Clause
// Which datatypes the program may have committed itself, told in a few instructions: all calls with other
// ones have nothing to gain and must not pay for those that have.
#pragma once

#include "base/hash.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>

namespace halocline::preload {

constexpr std::size_t committed_words = 64;
[[gnu::visibility("hidden")]] extern std::array<std::atomic<std::uint64_t>, committed_words> committed_bits;

/// Where the note about a datatype is; others may have the same.
struct CommittedBit {
  std::size_t word;
  std::uint64_t mask;
  explicit CommittedBit(MPI_Datatype type) {
    const std::uint64_t hash = std::hash<MPI_Datatype>()(type) * golden_ratio;
    word = hash >> 58;
    mask = std::uint64_t{1} << (hash >> 52 & 63U);
  }
};

/// False only for one that was never given to MPI_Type_commit: a named one, or a duplicate. Any thread may
/// ask.
[[nodiscard]] inline bool may_be_committed(MPI_Datatype type) {
  const CommittedBit bit(type);
  return (committed_bits[bit.word].load(std::memory_order_relaxed) & bit.mask) != 0;
}

/// From now on every datatype may be one: calls are looked at that would pass by otherwise.
void take_all_for_committed();

}  // namespace halocline::preload
