// SPDX-License-Identifier: BSD-3-Clause
// Cartesian communicators whose ranks are where Halocline wants them.
#pragma once

#include "halocline/describe/grid.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/handle.hpp"

#include <optional>
#include <vector>

namespace halocline::mpi {

/// What spares processes a communicator in which they are in order, if it is so for all of them.
struct Standing {
  bool stays = false;    ///< The rank in `comm` is the number of the cell.
  bool in_kept = false;  ///< It is the rank in the ordered communicator that the last call kept on `comm`.
};

/// As an agreement asks for it, and tells it.
[[nodiscard]] inline Votes votes(const Standing& mine) { return {mine.stays, mine.in_kept}; }
[[nodiscard]] inline Standing standing(const Votes& of_all) { return {of_all[0], of_all[1]}; }

/// Of the calling process, for the cell it is to have. Local.
[[nodiscard]] Standing standing(MPI_Comm comm, const Grid& grid, const std::optional<Cell>& cell);

/// A Cartesian communicator over the processes of `comm` in which the calling process has the cell `cell`,
/// and the error handler of `comm`; null for a process without a cell. Costs MPI_Cart_create and, unless the
/// standing of all spares it, MPI_Comm_split, whose result stays on `comm` until it is freed or has to be
/// another one. Collective.
/// @pre the cells of the processes are a permutation of the grid's; `of_all` says what is true of all
[[nodiscard]] Comm create_cart(MPI_Comm comm, const Grid& grid, const std::optional<Cell>& cell,
                               Standing of_all = {});

/// Throws Error{mpi} with MPI_ERR_COMM unless `comm` is an intracommunicator. Local.
void require_intracommunicator(MPI_Comm comm);

/// Has it a Cartesian topology? Local.
[[nodiscard]] bool is_cartesian(MPI_Comm comm);

/// The grid of a Cartesian communicator, whose ranks count its cells row by row. Throws
/// Error{invalid_topology} if the communicator has no Cartesian topology, or one of no dimensions. Local.
[[nodiscard]] Grid grid_of(MPI_Comm cart);

/// The extents as MPI wants them. Throws Error{invalid_dimensions} for one past 2^31 - 1.
[[nodiscard]] std::vector<int> int_extents(const Counts& extents);

}  // namespace halocline::mpi
