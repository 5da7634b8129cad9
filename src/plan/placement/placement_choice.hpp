// SPDX-License-Identifier: BSD-3-Clause
// How a grid is placed on a machine: what each name means, in one table that everybody asks.
#pragma once

#include "halocline/plan/plan.hpp"
#include "place/best.hpp"

#include <string>
#include <string_view>

namespace halocline::plan {

/// A placement and the algorithm that made it.
struct Candidate {
  std::string algorithm;  ///< A name of place::algorithms().
  Placement placement;
};

struct PlacementChoice {
  std::string algorithm;  ///< A name of place::algorithms().
  Placement placement;
  place::Cost cost;                           ///< Exact, all levels; no levels where it was not worked out.
  std::optional<Count> j_sum = std::nullopt;  ///< Cost::j_sum, where at least that is known.
  double planning_steps = 0;                  ///< As place::BestPlacement has them.
};

/// Throws Error{invalid_argument} that lists the names there are, if this is none of them.
void require_placement_name(std::string_view name);

/// The placement that a name stands for: "best", or an algorithm of place::algorithms(). Deterministic, no
/// communication. Throws as require_placement_name() and as the algorithm does.
[[nodiscard]] PlacementChoice choose_placement(const place::Problem& problem, std::string_view name,
                                               const place::BestOptions& options = {});

/// The same, with a cost that is worked out in any case.
[[nodiscard]] PlacementChoice choose_rated_placement(const place::Problem& problem, std::string_view name,
                                                     const place::BestOptions& options = {});

}  // namespace halocline::plan
