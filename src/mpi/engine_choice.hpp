// Which engine packs: info over environment over the default.
#pragma once

#include "halocline/compile/engines.hpp"

#include <mpi.h>

#include <optional>

namespace halocline::mpi {

struct EngineChoice {
  const compile::Engine& engine;
  std::optional<Count> packs;  ///< How often the datatype will be packed, if the user knows.
};

/// The engine that the info key halocline_compile or the environment variable HALOCLINE_COMPILE asks for,
/// otherwise auto; and the number of packs of the info key halocline_reuse. Throws Error{invalid_argument}
/// for a name or a number that makes no sense. Local.
[[nodiscard]] EngineChoice chosen_engine(MPI_Info info);

}  // namespace halocline::mpi
