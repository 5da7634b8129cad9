// Which schedule is the fastest, by the linear cost model: so much a round, so much a byte.
#pragma once

#include "halocline/schedule/schedule.hpp"

#include <cstddef>
#include <span>

namespace halocline::schedule {

struct LinearCost {
  double round_seconds;  ///< alpha: what a message costs, however small.
  double byte_seconds;   ///< beta: what each byte adds.
  /// How long a message is under way besides, while its sender and receiver can do other things: what has to
  /// wait for a message waits for that as well.
  double latency_seconds = 0;
};

/// Throws Error{invalid_argument} for prices that are negative, not a number, or more than 1e100 seconds:
/// sums over as many messages and bytes as 64 bits can count stay finite.
void check(const LinearCost& cost);

/// Rounds and bytes at their prices. Throws as check() and message_bytes().
[[nodiscard]] double estimate_seconds(const Schedule& schedule, std::span<const Count> block_bytes,
                                      const LinearCost& cost);

struct Estimate {
  std::size_t candidate;
  double seconds;
};

/// The first of the cheapest candidates. Throws Error{invalid_argument} for none at all, and as above.
[[nodiscard]] Estimate cheapest(std::span<const Schedule> candidates, std::span<const Count> block_bytes,
                                const LinearCost& cost);

}  // namespace halocline::schedule
