// A part of the shim, which depends on nothing: MPI's header says what its handles look like, its functions
// are looked up in the process.

#include "preload/first_rank.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): no C++ library here
#include <string.h>  // NOLINT(modernize-deprecated-headers)

namespace halocline::preload {
namespace {

// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#if defined(OPEN_MPI)
#define HALOCLINE_HANDLE(type, name, variable) static_cast<type>(variable_of(mpi, variable))
constexpr bool has_handles = true;
#elif defined(MPICH)
#define HALOCLINE_HANDLE(type, name, variable) name
constexpr bool has_handles = true;
#else
#define HALOCLINE_HANDLE(type, name, variable) type()
constexpr bool has_handles = false;
#endif
#define HALOCLINE_FUNCTION(name) reinterpret_cast<decltype(&name)>(dlsym(mpi, #name))
// NOLINTEND(bugprone-macro-parentheses)

#if defined(OPEN_MPI)
/// The linker may have moved it into the program, which comes first; a program that opened MPI for itself
/// alone has it nowhere but there.
void* variable_of(void* mpi, const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : dlsym(mpi, name);
}
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

bool hear_first_rank([[maybe_unused]] void* mpi, Told& told) {
  if (!has_handles) return false;
  const auto broadcast = HALOCLINE_FUNCTION(PMPI_Bcast);
  const MPI_Comm world = HALOCLINE_HANDLE(MPI_Comm, MPI_COMM_WORLD, "ompi_mpi_comm_world");
  const MPI_Datatype byte = HALOCLINE_HANDLE(MPI_Datatype, MPI_BYTE, "ompi_mpi_byte");
  Told heard = own_settings();
  if (broadcast(static_cast<void*>(&heard), sizeof heard, byte, 0, world) != MPI_SUCCESS) return false;
  told = heard;
  return true;
}

bool is_spawned([[maybe_unused]] void* mpi) {
  if (!has_handles) return false;
  MPI_Comm parent = HALOCLINE_HANDLE(MPI_Comm, MPI_COMM_NULL, "ompi_mpi_comm_null");
  const MPI_Comm none = parent;
  return HALOCLINE_FUNCTION(PMPI_Comm_get_parent)(&parent) == MPI_SUCCESS && parent != none;
}

}  // namespace halocline::preload
