// SPDX-License-Identifier: BSD-3-Clause
// Which engine packs: info over environment over the default.
#pragma once

#include "compile/engines.hpp"
#include "halocline/compile/packer.hpp"

#include <mpi.h>

#include <optional>
#include <span>

namespace halocline::mpi {

struct EngineChoice {
  const compile::Engine* engine = &compile::default_engine();
  std::optional<Count> packs = std::nullopt;  ///< How often the datatype will be packed, if the user knows.

  [[nodiscard]] compile::Packer packer(std::span<const compile::Part> parts) const {
    return compile::Packer(parts, *engine, packs);
  }
  [[nodiscard]] compile::Packer packer(const compile::Part& part) const { return packer({&part, 1}); }
};

/// The engine that the info key halocline_compile or the environment variable HALOCLINE_COMPILE asks for,
/// otherwise auto; and the number of packs of the info key halocline_reuse. Throws Error{invalid_argument}
/// for a name or a number that makes no sense. Local.
[[nodiscard]] EngineChoice chosen_engine(MPI_Info info);

}  // namespace halocline::mpi
