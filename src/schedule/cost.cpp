// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/cost.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

namespace halocline::schedule {

Cost cost(const Schedule& schedule) {
  Cost total;
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    if (round.local()) continue;
    ++total.rounds;
    total.volume += count_of(round.moves);
  }
  return total;
}

Count message_bytes(const Schedule& schedule, std::span<const Count> block_bytes) {
  require(block_bytes.size() == schedule.neighbours(), block_bytes.size(), " block sizes for ",
          schedule.neighbours(), " neighbours; there is one for each");
  for (const Count bytes : block_bytes) {
    require(bytes >= 0, "the block size ", bytes, " is negative");
    require(schedule.operation() == Operation::alltoall || bytes == block_bytes.front(), "block sizes ",
            block_bytes.front(), " and ", bytes, " in an allgather, in which all blocks are equally large");
  }
  Count total = 0;
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    if (round.local()) continue;
    for (const Move& move : round.moves)
      total = checked_add(total, block_bytes[to_index(schedule.served(move).front())]);
  }
  return total;
}

}  // namespace halocline::schedule
