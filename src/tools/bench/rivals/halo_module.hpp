// SPDX-License-Identifier: BSD-3-Clause
// What crosses the border to a module with the halo exchange of another library: plain structures and one C
// function, so that the tool needs nothing of that library and the module nothing of Halocline.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace halocline::tools {

/// Changes whenever one of the structures below does.
constexpr std::uint32_t halo_module_version = 1;
constexpr const char* halo_module_entry = "halocline_halo_module";

/// Fields of doubles in three dimensions, each an array in the order of C with a halo of the same width all
/// around, on a periodic grid of processes in the order of C.
struct HaloModuleProblem {
  MPI_Comm cart;
  std::int64_t processes[3];  ///< Along each dimension.
  std::int64_t cell[3];       ///< Of this process.
  std::int64_t extents[3];    ///< Own points.
  std::int64_t width;
  std::int64_t directions;  ///< 26: the whole halo. 6: its faces.
  const char* stencil;      ///< The directions as text.
  double* const* arrays;
  std::size_t array_count;
};

/// Why something failed; the text is cut to its room.
struct HaloModuleReason {
  char* text;
  std::size_t room;
};

/// A way by its name in --ways.
struct HaloModuleWay {
  const char* name;
  /// Collective. Null, and the reason, for a problem that this way cannot have.
  void* (*make)(const HaloModuleProblem& problem, HaloModuleReason reason);
  /// Exchanges the halos of all arrays; false, and the reason, if it fails. Collective.
  bool (*run)(void* halo, HaloModuleReason reason);
  void (*release)(void* halo);
};

struct HaloModule {
  std::uint32_t version;
  const HaloModuleWay* ways;
  std::size_t way_count;
  void (*finish)();  ///< Before MPI_Finalize, once all of its halos are released.
};

/// The type of the entry.
using HaloModuleEntry = const HaloModule*();

}  // namespace halocline::tools
