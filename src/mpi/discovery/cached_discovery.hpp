// SPDX-License-Identifier: BSD-3-Clause
// What was discovered about a communicator is kept on it, so that it is paid for once.
#pragma once

#include "halocline/mpi/discover.hpp"

#include <memory>

namespace halocline::mpi {

/// discover(comm), remembered as an attribute of `comm` and of its duplicates until they are freed.
/// Collective the first time, local afterwards. Throws as discover.
[[nodiscard]] std::shared_ptr<const Discovery> cached_discovery(MPI_Comm comm);

/// Is it remembered on `comm`? The same on all its processes. Local.
[[nodiscard]] bool is_discovered(MPI_Comm comm);

/// Remembers what is known about a new communicator already. Local. @pre nothing is remembered on it yet
void keep_discovery(MPI_Comm comm, Discovery discovery);

}  // namespace halocline::mpi
