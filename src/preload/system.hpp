// The functions that the program would have called without us: the next in the chain of preloaded libraries,
// at its end the system's MPI. Our own calls inside use PMPI_ names instead, so that no tool sees them.
#pragma once

#include <mpi.h>

namespace halocline::preload {

using Lookup = void*(const char* name);

/// To be called once, first.
void set_system(Lookup* lookup);
/// Never null for a function that was called.
[[nodiscard]] void* system_function(const char* name);

}  // namespace halocline::preload

/// HALOCLINE_SYSTEM(Cart_create)(comm, ...): what MPI_Cart_create would have been.
#define HALOCLINE_SYSTEM(name)                                                                        \
  ([]() -> decltype(&MPI_##name) {                                                                    \
    static const auto function =                                                                      \
        reinterpret_cast<decltype(&MPI_##name)>(::halocline::preload::system_function("MPI_" #name)); \
    return function;                                                                                  \
  }())
