// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/device_memory_in_mpi.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <optional>
#include <string_view>

namespace halocline::mpi {
namespace {

/// MPICH 4 and what is made of it. Its own name for GPUs of NVIDIA is 0.
std::optional<DeviceMemoryInMpi> told_for_each_kind(FindFunction& find) {
  using Query = int(int kind, int* is_supported);
  for (const char* const name : {"PMPIX_GPU_query_support", "MPIX_GPU_query_support"})
    if (auto* const query = reinterpret_cast<Query*>(find(name))) {
      int is_supported = 0;
      const bool answered = query(0, &is_supported) == 0;
      return DeviceMemoryInMpi{answered && is_supported != 0, name};
    }
  return std::nullopt;
}

/// Open MPI and MVAPICH.
std::optional<DeviceMemoryInMpi> told_for_cuda(FindFunction& find) {
  using Query = int();
  for (const char* const name : {"PMPIX_Query_cuda_support", "MPIX_Query_cuda_support"})
    if (auto* const query = reinterpret_cast<Query*>(find(name)))
      return DeviceMemoryInMpi{query() != 0, name};
  return std::nullopt;
}

/// A variable by which a user has turned it off; some releases of MPICH tell only what they were built with.
const char* turned_off_by() {
  for (const char* const name : {"MPIR_CVAR_ENABLE_GPU", "MPICH_GPU_SUPPORT_ENABLED"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    for (const std::string_view no : {"0", "no", "off", "false"})
      if (value == no) return name;
  }
  return nullptr;
}

void* in_process(const char* name) { return dlsym(RTLD_DEFAULT, name); }

}  // namespace

DeviceMemoryInMpi device_memory_in_mpi(FindFunction& find) {
  std::optional<DeviceMemoryInMpi> told = told_for_each_kind(find);
  if (!told) told = told_for_cuda(find);
  if (!told) return {false, "no function that MPI has"};
  const char* const off = told->taken ? turned_off_by() : nullptr;
  return off != nullptr ? DeviceMemoryInMpi{false, off} : *told;
}

DeviceMemoryInMpi device_memory_in_mpi() { return device_memory_in_mpi(in_process); }

}  // namespace halocline::mpi
