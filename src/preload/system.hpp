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

/// The two names that every function of MPI has. Those that complete requests are intercepted under both:
/// Fortran libraries and tools call the second ones.
enum class Way { plain, profiling };

}  // namespace halocline::preload

/// HALOCLINE_SYSTEM(Cart_create)(comm, ...): what MPI_Cart_create would have been.
#define HALOCLINE_SYSTEM(name)                                                                        \
  ([]() -> decltype(&MPI_##name) {                                                                    \
    static const auto function =                                                                      \
        reinterpret_cast<decltype(&MPI_##name)>(::halocline::preload::system_function("MPI_" #name)); \
    return function;                                                                                  \
  }())

/// As HALOCLINE_SYSTEM for the call that came by `way`, a constant of type Way.
#define HALOCLINE_SYSTEM_BY(way, name)                                                      \
  ([]() -> decltype(&MPI_##name) {                                                          \
    static const auto function =                                                            \
        reinterpret_cast<decltype(&MPI_##name)>(::halocline::preload::system_function(      \
            (way) == ::halocline::preload::Way::profiling ? "PMPI_" #name : "MPI_" #name)); \
    return function;                                                                        \
  }())
