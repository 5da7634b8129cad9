// SPDX-License-Identifier: BSD-3-Clause
// Who exchanges blocks with whom in the neighbourhood collectives of a communicator.
#pragma once

#include <mpi.h>

#include <vector>

namespace halocline::preload {

/// False for MPI_COMM_NULL, too. Local.
[[nodiscard]] bool is_intracommunicator(MPI_Comm comm);

/// The neighbours of this process, in the order of the blocks of a call; MPI_PROC_NULL beyond open borders.
struct Neighbors {
  std::vector<int> targets, sources;
};

/// Throws Error{invalid_topology} if the communicator has no topology. Local.
[[nodiscard]] Neighbors neighbors_of(MPI_Comm comm);

/// Does every process reach every other one along neighbours, as far as this process can tell? Then all make
/// the same calls, or MPI itself would wait for ever. Without a path, a program may leave calls out on some
/// processes. The same on all processes. Local.
[[nodiscard]] bool is_known_to_be_connected(MPI_Comm comm);

/// MPICH 4.0.2 copies as many counts of the one side of an alltoallw as the other side has, and goes on with
/// what lies behind them: it ends, waits for ever or writes anywhere where the two numbers differ.
#if defined(OPEN_MPI)
constexpr bool alltoallw_mixes_up_sides = false;
#else
constexpr bool alltoallw_mixes_up_sides = true;
#endif

/// A block that arrived: the number it has in the arguments of its sender.
using Matches = std::vector<int>;

/// For each source, which block of the sender the system's collectives put there: where two processes are
/// neighbours twice, implementations differ from each other and from the standard. Found out by calling them.
/// Collective. Throws Error{internal} if a block came from elsewhere. Where alltoallw is not asked, it gets
/// the answer of alltoallv.
using MatchTrial = std::vector<Matches>(MPI_Comm comm, const Neighbors& neighbors, bool asks_alltoallw);
/// Of alltoall, alltoallv and alltoallw.
[[nodiscard]] MatchTrial blocking_matches;
[[nodiscard]] MatchTrial non_blocking_matches;
/// Nothing where MPI has no such calls.
[[nodiscard]] MatchTrial persistent_matches;

}  // namespace halocline::preload
