// SPDX-License-Identifier: BSD-3-Clause
// By a message-combining schedule: blocks travel together in few messages, and others send them on.
#pragma once

#include "exchange/flows/rounds.hpp"
#include "exchange/ways/way.hpp"
#include "schedule/process/local.hpp"

#include <memory>
#include <vector>

namespace halocline::exchange {

class CombinedMessages : public Way {
 public:
  /// Takes as many tags as the schedule has rounds.
  explicit CombinedMessages(const Site& site);
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  int first_tag_;
  LocalSchedule schedule_;
};

/// The rounds of a schedule with tags from `first_tag` on, and the memory of its scratch slots.
struct CombinedRounds {
  std::vector<RoundPlan> plans;
  std::unique_ptr<std::byte[]> scratch;
};
[[nodiscard]] CombinedRounds combined_rounds(const Blocks& blocks, const LocalSchedule& schedule,
                                             int first_tag);

}  // namespace halocline::exchange
