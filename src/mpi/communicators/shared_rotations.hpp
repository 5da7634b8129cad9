// SPDX-License-Identifier: BSD-3-Clause
// Rotations of a mapping are tried by all processes together: section 4.3 of "Exploiting Geometric
// Partitioning in Task Mapping for Parallel Computers".
#pragma once

#include "network/mapping_problem.hpp"

#include <mpi.h>

namespace halocline::mpi {

/// The rotations that one process tries: neighbouring ones, and as many as the others up to one.
struct RotationShare {
  Count first;
  Count last;
};
[[nodiscard]] RotationShare share_of_rotations(MPI_Comm comm, Count rotations);

/// The least score of all processes, the same everywhere. Collective; two reductions. @pre rotations are
/// numbered below 2^31
[[nodiscard]] network::Score least_score(MPI_Comm comm, const network::Score& mine);

}  // namespace halocline::mpi
