// Which engine packs: info over environment over the default.
#pragma once

#include "halocline/compile/engines.hpp"

#include <mpi.h>

namespace halocline::mpi {

/// The engine that the info keys halocline_compile and halocline_reuse ask for, or the environment variable
/// HALOCLINE_COMPILE; the default engine if nobody asks or if the one asked for ("llvm") may be absent and
/// is. Throws Error{invalid_argument} for a name or a number of reuses that makes no sense. Local.
[[nodiscard]] const compile::Engine& chosen_engine(MPI_Info info);

}  // namespace halocline::mpi
