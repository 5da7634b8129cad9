// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedule/basis/basis_problem.hpp"

namespace halocline::schedule {

struct FoundBasis {
  Counts elements;
  double volume;
  bool complete;  ///< Was everything tried? Then no basis has fewer elements, or as many and less volume.
};

/// Looks for a basis of fewer elements than `known`, or of as many and less volume; `known` itself if there
/// is none. Gives up after about `most_steps` sums.
[[nodiscard]] FoundBasis search_basis(const BasisProblem& problem, FoundBasis known, std::size_t most_steps);

}  // namespace halocline::schedule
