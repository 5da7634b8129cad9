// What messages cost when all processes of a job send at once.
#pragma once

#include "halocline/mpi/discover.hpp"
#include "plan/price_file.hpp"
#include "tools/level_costs.hpp"

#include <mpi.h>

#include <vector>

namespace halocline::tools {

/// A price, and the times it comes from. Where it was measured is known but for the names.
struct MeasuredPrice {
  plan::Price price;
  std::vector<BurstTime> times;
};

/// Times of messages while nobody else sends: between processes of a node, and of two. Empty if there are no
/// such processes.
struct AloneTimes {
  std::vector<MessageTime> on_node, between_nodes;
};

/// The prices of "network" with one process a node and with all, and of "node", as far as there are such
/// processes. Each is measured up to `repetitions` times, for some seconds at most; medians count. The same
/// on all processes. Collective.
[[nodiscard]] std::vector<MeasuredPrice> measure_bursts(MPI_Comm comm, const Discovery& here,
                                                        const AloneTimes& alone, int repetitions);

}  // namespace halocline::tools
