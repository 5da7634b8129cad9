// The one rule by which placements are preferred over each other.
#pragma once

#include "halocline/place/cost.hpp"

#include <span>

namespace halocline::place {

/// The number of the preferred one: least J_sum, then least J_max; except that a J_sum up to 3 % larger is
/// accepted for a J_max at most half as large. @pre there is at least one
[[nodiscard]] std::size_t preferred(std::span<const LevelCost> costs);

}  // namespace halocline::place
