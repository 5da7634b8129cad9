// SPDX-License-Identifier: BSD-3-Clause
// Where the launcher put the processes, as orders count them: node after node by their lowest ranks, on each
// by rank. HALOCLINE_MACHINE on rank 0 replaces what is found, as in the discovery of machines.
#pragma once

#include "halocline/describe/runs.hpp"

#include <string>

namespace halocline::ordered {

/// What one process knows when all of MPI_COMM_WORLD have asked.
struct Seat {
  int rank;         ///< In MPI_COMM_WORLD, from the launcher.
  int ranks;        ///< All of them.
  Count position;   ///< In the node-sorted order.
  Counts of_nodes;  ///< On rank 0: how many processes each node has.
};

/// Collective over MPI_COMM_WORLD, O(nodes) memory on rank 0.
[[nodiscard]] Seat found_seat();

/// The nodes of `ranks` processes, process r on core r. Throws Error{invalid_argument} if the machine cannot
/// be read, Error{invalid_topology} if it has too few cores.
[[nodiscard]] Runs described_nodes(const std::string& machine, Count ranks);

}  // namespace halocline::ordered
