// SPDX-License-Identifier: BSD-3-Clause
// MPI datatypes read back into values.
#pragma once

#include "halocline/describe/layout.hpp"

#include <mpi.h>

namespace halocline::mpi {

/// The layout of any datatype, committed or not: the tree of constructors it was made by, every level with
/// exactly the size and bounds that this MPI gives it. (Where this MPI pads otherwise than the standard asks,
/// the level is wrapped in Layout::resized.) Predefined types that only this MPI knows become bytes.
///
/// Local; well below ten microseconds for a few levels, linear in the number of constructors and arguments;
/// a member that occurs twice is read twice. Leaves no handle behind, whatever happens. Throws
/// Error{invalid_type} for MPI_DATATYPE_NULL and for a displacement, a size or a bound that leaves 64 bits,
/// Error{unsupported} for a constructor that MPI 3.1 does not have and where this MPI puts data elsewhere
/// than its constructor says, and Error{mpi}.
[[nodiscard]] Layout layout_of(MPI_Datatype type);

}  // namespace halocline::mpi
