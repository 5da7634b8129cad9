// SPDX-License-Identifier: BSD-3-Clause
// What messages cost on the machine of a communicator: one process looks it up for all.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace halocline::exchange {

/// By which name a file of prices calls this MPI.
inline constexpr const char* mpi_name =
#if defined(OPEN_MPI)
    "openmpi";
#elif defined(MPICH) || defined(MPICH_VERSION)
    "mpich";
#else
    "other";
#endif

/// Who looks for prices: a process, and where those of its node find it.
struct PriceReader {
  int rank;         ///< In the communicator.
  bool is_here;     ///< On the node of the calling process?
  int member;       ///< If so, its rank among the processes of the node.
  Count processes;  ///< Of the largest node.
  Count sharing;  ///< Processes that share its processors, in whatever nodes they count: in containers, say.
  std::vector<std::string> levels = {};  ///< Of the machine, that can have prices besides node and network.
};

/// What the reader finds, on all processes: in the file that its environment names, or by what it sees of its
/// node. It reads a file once, and complains at most once of it, however many communicators there are.
/// Collective over `comm`; `node` has the calling process's node.
[[nodiscard]] LevelCosts machine_prices(MPI_Comm comm, MPI_Comm node, const PriceReader& reader);

}  // namespace halocline::exchange
