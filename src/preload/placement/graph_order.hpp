// SPDX-License-Identifier: BSD-3-Clause
// The order of the processes of a distributed graph: which of them should stand for which vertex.
#pragma once

#include "halocline/mpi/discover.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace halocline::preload {

/// Edges of a graph as a process gives them to MPI: its own or those of others.
struct GivenEdges {
  std::vector<int> sources, targets, weights;  ///< One of each for every edge.
};

struct NewRank {
  int rank = -1;        ///< Below 0 if all processes should stay where they are.
  std::string account;  ///< On rank 0: what was done, or why nothing was.
};

/// Rank 0 gathers the graph that the processes of `comm` give, which sit where `discovery` says. The graph of
/// a stencil on a grid is placed like a Cartesian communicator, any other one is mapped by map_graph(). All
/// processes get a new rank, or nobody does: where no less would cross between nodes, by the weights of the
/// edges. Collective. Throws Error{mpi}. @pre all ends are ranks of `comm`
[[nodiscard]] NewRank better_rank(MPI_Comm comm, const GivenEdges& edges, const Discovery& discovery);

}  // namespace halocline::preload
