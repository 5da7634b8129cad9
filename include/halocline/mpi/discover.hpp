// SPDX-License-Identifier: BSD-3-Clause
// Which machine do the processes of a communicator really run on?
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/machine.hpp"

#include <mpi.h>

namespace halocline {

/// A communicator's machine and the calling process's place in it.
struct Discovery {
  Machine machine;  ///< The same on every rank; holds as many ranks as the communicator.
  Rank position;  ///< Of the calling process in the machine's node-sorted order: a bijection over the ranks.
};

/// Finds out on which nodes the processes of `comm` run (those that can share memory) and, where they are
/// bound to processors, in which package, NUMA domain and L3 cache (by hwloc), however the launcher placed
/// them. Where MPI believes each process alone and Slurm knows better, those of a node of Slurm with the same
/// /dev/shm share memory. Nodes are ordered by their lowest rank, the ranks of an innermost group by core,
/// then rank.
///
/// The environment variable HALOCLINE_MACHINE on rank 0 replaces what is discovered by a Machine's text form:
/// the process with rank r in MPI_COMM_WORLD sits on its r-th core. `comm` may hold any of them, in any
/// order.
///
/// Collective over `comm`; O(nodes + processes of a node) memory. Throws the same Error on every rank: with
/// invalid_argument if HALOCLINE_MACHINE cannot be read, invalid_topology if it has too few cores.
[[nodiscard]] HALOCLINE_API Discovery discover(MPI_Comm comm);

/// This host as a machine of one node with one rank for each core that the process may use; no MPI call.
[[nodiscard]] HALOCLINE_API Machine this_host();

}  // namespace halocline
