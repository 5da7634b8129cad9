#pragma once

#include "halocline/place/cost.hpp"

#include <optional>

namespace halocline::place {

/// cost(problem, placement), where the cost at the level of the nodes may be known already.
[[nodiscard]] Cost cost_given_node(const Problem& problem, const Placement& placement,
                                   const std::optional<LevelCost>& node);

}  // namespace halocline::place
