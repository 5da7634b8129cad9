// Cartesian communicators whose ranks are where Halocline wants them.
#pragma once

#include "halocline/describe/grid.hpp"
#include "mpi/handle.hpp"

#include <optional>
#include <vector>

namespace halocline::mpi {

/// A Cartesian communicator over the processes of `comm` in which the calling process has the cell `cell`,
/// and the error handler of `comm`; null for a process without a cell. Collective.
/// @pre the cells of the processes are a permutation of the grid's
[[nodiscard]] Comm create_cart(MPI_Comm comm, const Grid& grid, const std::optional<Cell>& cell);

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
