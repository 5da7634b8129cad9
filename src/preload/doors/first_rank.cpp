// SPDX-License-Identifier: BSD-3-Clause
// A part of the shim, which depends on nothing: MPI's header says what its handles look like, its functions
// are looked up in the process.

#include "preload/doors/first_rank.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): no C++ library here
#include <string.h>  // NOLINT(modernize-deprecated-headers)

namespace halocline::preload {
namespace {

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name
#define HALOCLINE_FUNCTION(name) reinterpret_cast<decltype(&name)>(dlsym(mpi, #name))

#if defined(OPEN_MPI)
constexpr bool has_handles = true;

/// The linker may have moved it into the program, which comes first; a program that opened MPI for itself
/// alone has it nowhere but there.
void* variable_of(void* mpi, const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : dlsym(mpi, name);
}

MPI_Comm world_of(void* mpi) { return static_cast<MPI_Comm>(variable_of(mpi, "ompi_mpi_comm_world")); }
MPI_Comm no_comm_of(void* mpi) { return static_cast<MPI_Comm>(variable_of(mpi, "ompi_mpi_comm_null")); }
MPI_Datatype byte_of(void* mpi) { return static_cast<MPI_Datatype>(variable_of(mpi, "ompi_mpi_byte")); }
#elif defined(MPICH)
constexpr bool has_handles = true;

MPI_Comm world_of(void* /*mpi*/) { return MPI_COMM_WORLD; }
MPI_Comm no_comm_of(void* /*mpi*/) { return MPI_COMM_NULL; }
MPI_Datatype byte_of(void* /*mpi*/) { return MPI_BYTE; }
#else
constexpr bool has_handles = false;

MPI_Comm world_of(void* /*mpi*/) { return {}; }
MPI_Comm no_comm_of(void* /*mpi*/) { return {}; }
MPI_Datatype byte_of(void* /*mpi*/) { return {}; }
#endif

/// As settings.cpp has it.
bool is_off(const char* variable) {
  const char* const value = getenv(variable);
  return value != nullptr && (strcmp(value, "off") == 0 || strcmp(value, "0") == 0);
}

}  // namespace

Told own_settings() {
  Told own{is_off("HALOCLINE"), ""};
  const char* mesh = is_off("HALOCLINE_REORDER") ? nullptr : getenv("HALOCLINE_MESH");
  if (mesh == nullptr) return own;
  if (strlen(mesh) >= sizeof own.mesh) mesh = "a mesh of too many words";  // which is refused as such
  strncpy(own.mesh, mesh, sizeof own.mesh - 1);
  return own;
}

bool hear_first_rank(void* mpi, Told& told) {
  if (!has_handles) return false;
  Told heard = own_settings();
  if (HALOCLINE_FUNCTION(PMPI_Bcast)(static_cast<void*>(&heard), sizeof heard, byte_of(mpi), 0,
                                     world_of(mpi)) != MPI_SUCCESS)
    return false;
  told = heard;
  return true;
}

bool is_spawned(void* mpi) {
  if (!has_handles) return false;
  MPI_Comm parent = no_comm_of(mpi);
  return HALOCLINE_FUNCTION(PMPI_Comm_get_parent)(&parent) == MPI_SUCCESS && parent != no_comm_of(mpi);
}

}  // namespace halocline::preload
