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

/// A block that arrived: the number it has in the arguments of its sender.
using Matches = std::vector<int>;

/// For each source, which block of the sender the system's collectives put there: where two processes are
/// neighbours twice, implementations differ from each other and from the standard. Found out by calling them.
/// Collective. Throws Error{internal} if a block came from elsewhere.
using MatchTrial = std::vector<Matches>(MPI_Comm comm, const Neighbors& neighbors);
/// Of alltoall, alltoallv and alltoallw.
[[nodiscard]] MatchTrial blocking_matches;
[[nodiscard]] MatchTrial non_blocking_matches;
/// Nothing where MPI has no such calls.
[[nodiscard]] MatchTrial persistent_matches;

}  // namespace halocline::preload
