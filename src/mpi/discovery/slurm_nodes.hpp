// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a step of Slurm, where MPI was told wrong about them: by its PMI-2 with --distribution=arbitrary
// each process is on a node of its own (src/plugins/mpi/pmi2/setup.c there), and MPICH believes it.
#pragma once

#include "mpi/handles/comm.hpp"

#include <cstdint>
#include <optional>

namespace halocline::mpi {

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

/// The node of this process by Slurm's word, if it is one of several in `comm`, alone on its `node` by MPI's
/// word, and Slurm knows that some are not. If everybody has one, MPI was told wrong. Local.
[[nodiscard]] std::optional<int> alone_in_company(MPI_Comm comm, MPI_Comm node);

/// The processes of `comm` that are on one node and share its memory, ordered by their rank in `comm`: by
/// MPI's word, or by Slurm's where MPI was told wrong. What discover() takes for a node, unless
/// HALOCLINE_MACHINE describes others. Collective; a split, a reduction unless there is one node, and what
/// split_by_slurm() costs if it is asked.
[[nodiscard]] Comm split_node(MPI_Comm comm);

}  // namespace halocline::mpi
