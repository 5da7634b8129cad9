// The messages of one process: one to each peer, or those of a message-combining schedule.
#pragma once

#include "exchange/blocks.hpp"
#include "exchange/rounds.hpp"
#include "exchange/traffic.hpp"
#include "halocline/schedule/local.hpp"

#include <memory>
#include <vector>

namespace halocline::exchange {

/// One message out and one in for each peer, all with that tag. What is gathered is sent once to a peer,
/// whose other places for it get copies.
[[nodiscard]] std::vector<RoundPlan> direct_rounds(const Blocks& blocks, const std::vector<Peer>& peers,
                                                   int tag);

/// The rounds of a schedule with tags from `first_tag` on, and the memory of its scratch slots.
struct CombinedRounds {
  std::vector<RoundPlan> plans;
  std::unique_ptr<std::byte[]> scratch;
};
[[nodiscard]] CombinedRounds combined_rounds(const Blocks& blocks, const LocalSchedule& schedule,
                                             int first_tag);

}  // namespace halocline::exchange
