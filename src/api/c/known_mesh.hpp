// SPDX-License-Identifier: BSD-3-Clause
// The mesh of a communicator, for functions that need one.
#pragma once

#include "mpi/communicators/comm_mesh.hpp"

#include <mpi.h>

#include <memory>

namespace halocline::api {

/// Throws Error{invalid_topology} if the communicator knows none. Local.
[[nodiscard]] std::shared_ptr<const mpi::CommMesh> known_mesh(MPI_Comm cart);

}  // namespace halocline::api
