// SPDX-License-Identifier: BSD-3-Clause
// What all processes must do alike and none of them can ask for later: rank 0 tells it when MPI starts.
// Launchers hand variables to some processes only, MPI_Dims_create is local, and a process that keeps out
// altogether makes no agreement with the others.
#pragma once

namespace halocline::preload {

struct Told {
  bool off;        ///< HALOCLINE is off: nothing is taken over.
  char mesh[255];  ///< HALOCLINE_MESH; empty if there is none, or if HALOCLINE_REORDER is off.
};

/// Those of this process.
[[nodiscard]] Told own_settings();

// With the handle of the MPI that the library was built for, which has been started.

/// Those of rank 0 of MPI_COMM_WORLD, by one broadcast. Collective over it. False if they cannot be had.
[[nodiscard]] bool hear_first_rank(void* mpi, Told& told);
/// Was this process started by another program, with MPI_Comm_spawn?
[[nodiscard]] bool is_spawned(void* mpi);

}  // namespace halocline::preload
