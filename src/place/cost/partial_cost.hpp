// SPDX-License-Identifier: BSD-3-Clause
// Costs of which something is known already, or of which not everything has to be known.
#pragma once

#include "place/cost/cost.hpp"

#include <optional>

namespace halocline::place {

/// cost(problem, placement), where the cost at the level of the nodes may be known already.
[[nodiscard]] Cost cost_given_node(const Problem& problem, const Placement& placement,
                                   const std::optional<LevelCost>& node);

/// The weight of all messages between different ranks, however they are placed. Throws as cost().
[[nodiscard]] Count sum_between_ranks(const Problem& problem);

/// node_cost, or none as soon as J_max is known to be `limit` or more.
[[nodiscard]] std::optional<LevelCost> node_cost_below(const Problem& problem, const Placement& placement,
                                                       Count limit);

}  // namespace halocline::place
