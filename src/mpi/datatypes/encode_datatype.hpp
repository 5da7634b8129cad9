// SPDX-License-Identifier: BSD-3-Clause
// From the bytes that a message has to an MPI datatype of them.
#pragma once

#include "compile/form/canonical.hpp"
#include "mpi/handles/handle.hpp"

namespace halocline::mpi {

/// A datatype, not committed, that names the same bytes in the same order. It is made of loops and lists of
/// bytes alone: what MPIs get wrong with datatypes of programs (negative extents inside, members of no bytes,
/// bounds that pad) does not get there. @pre there are bytes; throws Error{unsupported} for a list of more
/// than 2^31 - 1 blocks
[[nodiscard]] Datatype encode_datatype(const compile::Canonical& form);

}  // namespace halocline::mpi
