// SPDX-License-Identifier: BSD-3-Clause
// The mesh that a Cartesian communicator is for, kept on it: whoever has the communicator need not repeat it.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "mpi/handles/attribute_cache.hpp"

#include <optional>

namespace halocline::mpi {

struct CommMesh {
  Decomposition decomposition;
  Counts halo;                     ///< The widths of the halos that it was cut for.
  std::optional<Stencil> stencil;  ///< Along which the processes talk, if that is known.
};

using CommMeshes = CommCache<CommMesh>;

}  // namespace halocline::mpi
