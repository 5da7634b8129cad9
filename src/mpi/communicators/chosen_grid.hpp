// SPDX-License-Identifier: BSD-3-Clause
// The grid for a mesh on the processes of a communicator, which keeps the last one: programs ask again.
#pragma once

#include "mpi/communicators/placed_cart.hpp"
#include "plan/placement/grid_choice.hpp"

#include <memory>
#include <string>

namespace halocline::mpi {

struct ChosenGrid {
  std::string wanted;       ///< All it was chosen by, but the stencil.
  Stencil stencil;          ///< Without the sizes of messages.
  Counts fixed;             ///< Extents that were given, or found with the dimensions turned round.
  plan::GridChoice choice;  ///< Without its cost.
};

/// What is best on `machine`, that of the processes of `comm`. Local. Throws as plan::choose_grid.
[[nodiscard]] std::shared_ptr<const ChosenGrid> chosen_grid(MPI_Comm comm, const MeshRequest& request,
                                                            const Machine& machine,
                                                            const std::string& algorithm);

/// What is best for the mesh alone, on that many processes. Local. Throws as shape::by_levels.
[[nodiscard]] Grid grid_by_mesh(const MeshRequest& request, Count processes);

}  // namespace halocline::mpi
