// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pack and MPI_Unpack where data or packed bytes lie on a device.
#pragma once

#include "mpi/datatypes/compiled_type.hpp"

#include <mpi.h>

#include <cstddef>

namespace halocline::preload {

/// What is packed or unpacked: elements of a datatype at an address, and the place of their packed bytes.
struct PackedElements {
  const mpi::CompiledType& compiled;
  MPI_Datatype type;
  int count;
  const void* data;
  const void* packed;
  [[nodiscard]] Count bytes() const { return compiled.layout().size() * count; }
};

/// Who has to copy: the host's processor; a device, by the functions below; or the system, as what lies where
/// is not for us. Costs a load or two in a process that has no driver of a GPU.
enum class WhoCopies { host, device, system };
[[nodiscard]] WhoCopies who_copies(const PackedElements& elements);

/// Both throw before anything is written, for want of memory or where a device refuses. @pre who_copies()
/// says device
void pack_on_device(const PackedElements& elements);
void unpack_on_device(const PackedElements& elements);

}  // namespace halocline::preload
