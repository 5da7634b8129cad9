// SPDX-License-Identifier: BSD-3-Clause
// Shape and placement chosen together: the grid with the least surface is not always the one that sends the
// fewest bytes between nodes once it is placed.
#pragma once

#include "halocline/describe/mesh.hpp"
#include "halocline/plan/plan.hpp"
#include "plan/placement/placement_choice.hpp"

#include <string>

namespace halocline::plan {

/// A mesh to be shared out among the ranks of a machine, which exchange halos along a stencil of processes.
struct MeshProblem {
  Mesh mesh;
  Stencil stencil;  ///< Relative processes; a weight is the bytes of a mesh point, say.
  Machine machine;
  Counts halo = {};   ///< Width in each dimension; 1 everywhere if there is none. 0: nothing goes that way.
  Counts fixed = {};  ///< Extents the grid must have; 0 is free, and so are all if there is none.
};

/// A grid, placed.
struct GridChoice {
  Grid grid;
  Stencil stencil;  ///< Weighted by the size of each message, so that the cost is in bytes (or mesh points).
  Placement placement;
  std::string algorithm;
  place::Cost cost;        ///< Exact.
  std::size_t candidates;  ///< How many grids were compared.
};

/// The stencil with each weight multiplied by the mesh points of its message: along a zero component the
/// whole block of a process, otherwise the width of the halo. Blocks are those of the largest share.
[[nodiscard]] Stencil with_message_sizes(const Mesh& mesh, const Grid& grid, const Stencil& stencil,
                                         const Counts& halo);

/// Does the process at that offset get anything? Not where it lies along a dimension whose halo has no width.
[[nodiscard]] bool sends(const Offset& offset, const Counts& halo);
/// The stencil without the offsets that get nothing; as it is if that is all of them.
[[nodiscard]] Stencil that_sends(const Stencil& stencil, const Counts& halo);

/// Places every candidate grid and returns the one that sends the fewest bytes between nodes; of equals, the
/// fewest between processes, then the one with the least surface. Offsets that get nothing, see sends(), do
/// not count. The candidate that the shape stage would take is always among them. Deterministic, no
/// communication. Throws as shape::by_levels, place::Problem and place::algorithm.
[[nodiscard]] GridChoice choose_grid(const MeshProblem& problem, const GridOptions& options = {});

}  // namespace halocline::plan
