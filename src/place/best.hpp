// SPDX-License-Identifier: BSD-3-Clause
// The portfolio: the best of all algorithms, by exact cost.
#pragma once

#include "place/algorithms.hpp"
#include "place/cost/cost.hpp"

#include <optional>

namespace halocline::place {

struct BestOptions {
  /// The most time that may be spent on comparing algorithms, beyond planning with the first. All processes
  /// have to arrive at the same placement, so it is not measured: an algorithm is taken to need
  /// (k + 50) / 1.5e9 seconds for each of the p cells and k offsets, and is left out if that does not fit. As
  /// a rule it needs a tenth of that, because rating ends where an algorithm is known to lose.
  double seconds = 0.1;
  /// Place the levels inside the nodes, too.
  bool inside_nodes = true;
  /// Work out the cost of what is best, if the budget allows it. No other choice follows from it.
  bool cost = true;
};

struct BestPlacement {
  Placement placement;
  std::string_view algorithm;  ///< The name of the one that won.
  Cost cost;  ///< Exact, all levels; no levels if it was not wanted or did not fit the budget.
  std::optional<Count> j_sum = std::nullopt;  ///< Cost::j_sum, where that much is known.
  double planning_steps = 0;                  ///< Steps that optimal-strips took, of about a nanosecond each.
};

/// The placement of least J_sum; of equals, that of least J_max. An algorithm whose J_sum is at most 3 %
/// larger wins over it if its J_max is at most a quarter.
///
/// As long as the budget lasts the algorithms of the table take part, from its end: optimal-strips always.
/// What took part is never better by more than the 3 %. Deterministic, no communication.
[[nodiscard]] BestPlacement best(const Problem& problem, const BestOptions& options = {});

}  // namespace halocline::place
