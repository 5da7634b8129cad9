// SPDX-License-Identifier: BSD-3-Clause
// What a schedule costs: messages, blocks and bytes that a process far from any open border sends.
#pragma once

#include "schedule/parts/schedule.hpp"

#include <span>

namespace halocline::schedule {

struct Cost {
  Count rounds = 0;  ///< With a message; local copies are free.
  Count volume = 0;  ///< Blocks in those messages.

  bool operator==(const Cost&) const = default;
};

[[nodiscard]] Cost cost(const Schedule& schedule);

/// The bytes in the messages; `block_bytes` is the size of each neighbour's block. Throws
/// Error{invalid_argument} unless there is one size a neighbour, none negative and, for allgather, all the
/// same, or if the sum leaves 64 bits.
[[nodiscard]] Count message_bytes(const Schedule& schedule, std::span<const Count> block_bytes);

}  // namespace halocline::schedule
