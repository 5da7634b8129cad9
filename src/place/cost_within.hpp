#pragma once

#include "halocline/place/cost.hpp"

#include <optional>

namespace halocline::place {

/// node_cost, or none as soon as J_sum is known to exceed `limit`: what loses anyway is not computed to the
/// end.
[[nodiscard]] std::optional<LevelCost> node_cost_within(const Problem& problem, const Placement& placement,
                                                        Count limit);

}  // namespace halocline::place
