// SPDX-License-Identifier: BSD-3-Clause
// Offsets as sums of the elements of an additive basis.
#pragma once

#include "schedule/basis/basis_problem.hpp"
#include "schedule/parts/routes.hpp"

namespace halocline::schedule {

/// Are these so few that tables of all sums can be made?
[[nodiscard]] bool small_enough_for_tables(const BasisProblem& problem, std::size_t elements);

/// What a step of the way to an offset costs beside the step itself.
enum class Detour : std::uint8_t {
  free,    ///< Nothing: fewest elements.
  priced,  ///< Fewest sums on the way that are no offsets themselves, then fewest elements.
};

/// For each offset of the problem the elements that sum to it, ascending, as routes whose rounds are the
/// elements. With tables the cheapest sums; otherwise each offset is an element itself or the sum of the
/// largest elements that fit along each axis. Throws Error{internal} if an offset is no such sum.
[[nodiscard]] Routes decompose(const BasisProblem& problem, const Counts& elements, Detour detour);

}  // namespace halocline::schedule
