// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a step of Slurm, where MPI was told wrong about them: by its PMI-2 with --distribution=arbitrary
// each process is on a node of its own (src/plugins/mpi/pmi2/setup.c there), and MPICH believes it.
#pragma once

#include "mpi/handles/comm.hpp"

#include <cstdint>
#include <optional>

namespace halocline::mpi {

/// The node of this process among those of its step of Slurm, if the step has more processes than nodes, so
/// that somebody cannot be alone; nothing outside of Slurm. Local.
[[nodiscard]] std::optional<int> shared_node_of_slurm();

/// The folder of shared memory as this process sees it. Who sees the same one can map what others put there;
/// containers on one node may each have their own.
struct SharedFolder {
  std::int64_t kernel;  ///< 0 if nobody knows.
  std::int64_t device, inode;
  friend bool operator==(const SharedFolder&, const SharedFolder&) = default;
};
/// Nothing is shared with anybody if the system does not tell. Local.
[[nodiscard]] SharedFolder shared_folder();

/// The processes of `comm` that are on the same node of Slurm and see the same folder, ordered by their rank
/// in `comm`. Collective; a split and a gathering on the node, and one more split where folders differ.
[[nodiscard]] Comm split_by_slurm(MPI_Comm comm, int node, const SharedFolder& folder);

}  // namespace halocline::mpi
