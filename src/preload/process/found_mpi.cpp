// SPDX-License-Identifier: BSD-3-Clause
#include "preload/process/found_mpi.hpp"

#include "base/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

namespace halocline::found_mpi {
namespace {

void* own_mpi() { return dlopen(HALOCLINE_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD); }

}  // namespace

bool has_own_mpi() { return own_mpi() != nullptr; }

void* function_of_name(const char* name) {
  // The next library after this one; a program that opened MPI for itself alone has it where that does not
  // look.
  void* function = dlsym(RTLD_NEXT, name);
  if (function == nullptr)
    if (void* const mpi = own_mpi()) function = dlsym(mpi, name);
  if (function == nullptr) {
    (void)std::fprintf(stderr, "halocline: no MPI in this process has %s\n", name);
    std::abort();
  }
  return function;
}

void* variable_of_name(const char* name) {
  if (void* const found = dlsym(RTLD_DEFAULT, name)) return found;
  void* const mpi = own_mpi();
  return mpi == nullptr ? nullptr : dlsym(mpi, name);
}

bool is_everywhere() {
  const char* const all = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (all == nullptr || here == nullptr || std::strcmp(all, here) == 0) return true;
  const char* const told = std::getenv(settings::everywhere.variable);
  return told != nullptr && *told != '\0';
}

bool is_spawned() {
  MPI_Comm parent = no_comm();
  return HALOCLINE_PMPI(Comm_get_parent)(&parent) != MPI_SUCCESS || parent != no_comm();
}

}  // namespace halocline::found_mpi
