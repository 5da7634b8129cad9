// SPDX-License-Identifier: BSD-3-Clause
// Who shares memory with this process.
#pragma once

#include <mpi.h>

#include <vector>

namespace halocline::preload {

/// Ranks of processes of one node, this one among them, increasing.
using NodeMates = std::vector<int>;

/// Those of `comm`, which keeps them. Collective the first time: mpi::split_node().
[[nodiscard]] const NodeMates& node_mates(MPI_Comm comm);

/// The ranks that these processes of `from` have in `to`; who is not there is left out. Local.
[[nodiscard]] NodeMates translated(const NodeMates& mates, MPI_Comm from, MPI_Comm to);

/// `comm` keeps what is known of its processes already. Local.
void keep_node_mates(MPI_Comm comm, const NodeMates& mates);

}  // namespace halocline::preload
