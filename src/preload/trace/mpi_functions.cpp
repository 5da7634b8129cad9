// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/mpi_functions.hpp"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace halocline::recorder {
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

}  // namespace halocline::recorder
