// SPDX-License-Identifier: BSD-3-Clause
// The few questions and splits every collective of the library starts with.
#pragma once

#include "mpi/handles/handle.hpp"

#include <string>

namespace halocline::mpi {

[[nodiscard]] int rank(MPI_Comm comm);
[[nodiscard]] int size(MPI_Comm comm);
/// The largest tag that messages may have.
[[nodiscard]] int largest_tag();

/// Splits by colour (MPI_UNDEFINED: no part in it), ordered by key, then rank. Errors of the new communicator
/// are returned, so that check() sees them. Collective.
[[nodiscard]] Comm split(MPI_Comm comm, int colour, int key);
/// The processes of `comm` that share memory with this one, ordered by their rank in `comm`. Collective.
[[nodiscard]] Comm split_shared(MPI_Comm comm);

/// The root's text, on every rank. Collective.
[[nodiscard]] std::string broadcast(MPI_Comm comm, std::string text, int root = 0);

}  // namespace halocline::mpi
