// SPDX-License-Identifier: BSD-3-Clause
// The predefined datatypes of this MPI as layouts.
#pragma once

#include "halocline/describe/layout.hpp"

#include <mpi.h>

#include <optional>

namespace halocline::mpi {

/// The elementary type that a predefined datatype is; none for one that only this MPI knows.
[[nodiscard]] std::optional<Elementary> elementary_of(MPI_Datatype type);

/// The handle of an elementary type; MPI_DATATYPE_NULL if this MPI has none.
[[nodiscard]] MPI_Datatype datatype_of(Elementary type);

}  // namespace halocline::mpi
