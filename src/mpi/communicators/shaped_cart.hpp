// SPDX-License-Identifier: BSD-3-Clause
// Communicators in the shape of the machine: the grid is chosen level by level, and each group of each level
// gets a box of it. After Niethammer and Rabenseifner, "Topology aware Cartesian grid mapping with MPI",
// 2018.
#pragma once

#include "mpi/handles/handle.hpp"
#include "plan/placement/shape_choice.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::mpi {

/// What the grid has to be like, the same on all ranks.
struct ShapeRequest {
  Weights weights;
  Counts fixed;             ///< Extents that stay; 0 is free.
  Periodicity periodicity;  ///< One flag a dimension.
  plan::ShapeOptions how = {};
  std::string algorithm = {};  ///< Places on uneven nodes; empty: as HALOCLINE_PLACE says.
};

struct ShapedCart {
  Comm comm;
  Counts dims;
};

/// A Cartesian communicator over all processes of `comm`, shaped by its nodes and by the levels inside them
/// that are named ("package", "numa", "l3"; outermost first). Levels the machine does not have are passed
/// over.
///
/// If all groups of a level are of one size, the processes are renumbered so that each group is a box of the
/// grid, as in the paper's appendix. If not, the grid is the one of shape::for_nodes and the processes are
/// placed as by a Cart: on the seats of a plan in use that fits, else by plan::choose_placement. Collective;
/// throws the same Error on every rank, as plan::choose_shape, plan::choose_placement and discover do.
[[nodiscard]] ShapedCart shaped_cart(MPI_Comm comm, std::span<const std::string> inner_levels,
                                     const ShapeRequest& request);

/// The same for levels given as communicators: levels[0] has all processes, each further one those of the
/// group that the calling process is in. Throws Error{invalid_dimensions} on every rank of levels[0] unless
/// all groups of a level are of one size.
[[nodiscard]] ShapedCart shaped_cart(std::span<const MPI_Comm> levels, const ShapeRequest& request);

}  // namespace halocline::mpi
