// SPDX-License-Identifier: BSD-3-Clause
// Datatypes of the program, ready to be packed. Kernels only: generating code takes threads, which a program
// that did not ask for us must not get.
#pragma once

#include "halocline/compile/packer.hpp"
#include "mpi/datatypes/compiled_type.hpp"
#include "preload/types/packed_message.hpp"
#include "preload/types/whereabouts.hpp"

#include <mpi.h>

#include <optional>

namespace halocline::preload {

/// The compiled form of a committed datatype, which it keeps; null for one that is refused (see layout_of),
/// which is remembered as well, and for MPI_DATATYPE_NULL. Local; a look-up of a few nanoseconds from the
/// second time on, of a question to MPI where it is refused.
[[nodiscard]] const mpi::CompiledType* compiled(MPI_Datatype type);

/// The packer of `count` elements; nothing where compiled() is null. Local; remembered as long as nothing
/// else takes its place. @pre count >= 0
[[nodiscard]] std::optional<compile::Packer> packer(MPI_Datatype type, Count count);

/// Has it runs so long that MPI moves it from and to where it lies in less time than with a packed copy?
/// Local; as packer().
[[nodiscard]] bool is_moved_well_by_mpi(MPI_Datatype type, Count count);

/// Where the elements of a datatype lie that begin at an address; out of reach where compiled() is null.
/// Local; as packer().
[[nodiscard]] Whereabouts whereabouts(const void* address, Count count, MPI_Datatype type);

/// A message that is sent or received faster if it is packed outside MPI, on the host or on the device that
/// it lies on; nothing for all others, and for whatever is unusual: no partner, absolute addresses, no
/// memory. Then `why_not` says which, in a literal. Local; as packer().
struct MessageToPack {
  PackedMessage message;
  accelerate::Device* device;  ///< Null on the host.
};
[[nodiscard]] std::optional<MessageToPack> packed_message(const void* address, int count, MPI_Datatype type,
                                                          int peer, MPI_Comm comm,
                                                          const char*& why_not) noexcept;

}  // namespace halocline::preload
