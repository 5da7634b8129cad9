// SPDX-License-Identifier: BSD-3-Clause
// Whether the MPI of this process takes addresses of a GPU. No standard call tells; each MPI has its own.
#pragma once

#include <string>

namespace halocline::mpi {

struct DeviceMemoryInMpi {
  bool taken;           ///< May buffers of MPI calls lie on a GPU of NVIDIA?
  std::string said_by;  ///< For people: the function or the variable that says so.
};

/// What a process knows by a name; null if nothing.
using FindFunction = void*(const char* name);

/// A local call of about a microsecond; processes of a job may get different answers. @pre MPI is
/// initialized
[[nodiscard]] DeviceMemoryInMpi device_memory_in_mpi();
/// The same, of functions that somebody else finds.
[[nodiscard]] DeviceMemoryInMpi device_memory_in_mpi(FindFunction& find);

}  // namespace halocline::mpi
