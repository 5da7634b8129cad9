// SPDX-License-Identifier: BSD-3-Clause
// What the environment allows the preload library to do.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace halocline::preload {

enum class Feature {
  reorder,   ///< HALOCLINE_REORDER: process grids and placement.
  neighbor,  ///< HALOCLINE_NEIGHBOR: neighbourhood collectives.
  types,     ///< HALOCLINE_TYPES: packing of datatypes.
  log,       ///< HALOCLINE_LOG: the summary at the end.
};

/// Everything but the log is on unless its variable is "off" (or 0). Read once.
[[nodiscard]] bool is_on(Feature feature);

/// What all processes of a communicator are told, where they must do the same: launchers hand variables to
/// some processes only.
struct AgreedSettings {
  bool reorder = false;  ///< HALOCLINE_REORDER is off nowhere ...
  bool graphs = false;   ///< ... and "graphs" everywhere: distributed graphs are reordered as well.
};
/// Collective the first time on a communicator; local afterwards, and on its duplicates.
[[nodiscard]] AgreedSettings agreed_settings(MPI_Comm comm);

/// The variables of those that are off.
[[nodiscard]] std::vector<const char*> switched_off();

/// HALOCLINE_MESH as rank 0 has told it when MPI started; empty if grids are the system's.
[[nodiscard]] const std::string& mesh_of_first_rank();
/// To be called once, first.
void set_mesh(const char* mesh);

/// HALOCLINE_NEIGHBOR is "eager": Cartesian communicators get streams when they are made.
[[nodiscard]] bool wants_eager_streams();

}  // namespace halocline::preload
