// SPDX-License-Identifier: BSD-3-Clause
// What else could have been placed, and who sends to whom, for those who draw plans.
#pragma once

#include "halocline/plan/plan.hpp"

#include <string>
#include <vector>

namespace halocline::plan {

/// A placement algorithm on the grid of a plan, and what comes of it with the plan's schedule.
struct RatedPlacement {
  std::string name;
  Prediction prediction;
};

/// Every algorithm of place::algorithms(), in that order, in the place of the one that the plan took; beyond
/// 2^17 ranks without the random one, whose traffic grows too fast. Throws as make_plan; O(p k) time for each
/// besides what it takes itself.
[[nodiscard]] std::vector<RatedPlacement> rate_placements(const Problem& problem, const Plan& plan,
                                                          const LevelCosts& prices = {});

/// Bytes from one node to another.
struct NodePair {
  Count from, to;
  Traffic traffic;
  bool operator==(const NodePair&) const = default;
};

/// What the nodes send each other if every block goes by itself, by sender, then receiver. O(p k).
[[nodiscard]] std::vector<NodePair> node_pairs(const Problem& problem, const Plan& plan);

}  // namespace halocline::plan
