// SPDX-License-Identifier: BSD-3-Clause
// What messages cost when all processes of a job send at once.
#pragma once

#include "halocline/mpi/discover.hpp"
#include "plan/prices/price_file.hpp"
#include "tools/bench/levels/level_costs.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace halocline::tools {

/// A price, and the times it comes from. Where it was measured is known but for the names.
struct MeasuredPrice {
  plan::Price price;
  std::vector<BurstTime> times;
  bool latency_of_bursts;  ///< See BurstPrice.
  std::string doubt;       ///< Why it is no more than noise; empty if it is not.
};

/// Times of messages while nobody else sends, between processes whose innermost common group is of a level.
struct AloneTimes {
  int level;  ///< Its number on the machine; -1 if they have no group in common.
  std::vector<MessageTime> times;
};

/// The prices of "network" with one process a node and with all, and of "node", as far as there are such
/// processes; the outermost levels with times stand for them. Then those of other levels with times, by their
/// names, of groups of which no part has more than half of the processes. Each is measured up to
/// `repetitions` times, for some seconds at most; medians count. The same on all processes. Collective.
/// @param alone innermost level first
[[nodiscard]] std::vector<MeasuredPrice> measure_bursts(MPI_Comm comm, const Discovery& here,
                                                        const std::vector<AloneTimes>& alone,
                                                        int repetitions);

}  // namespace halocline::tools
