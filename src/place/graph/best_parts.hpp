// SPDX-License-Identifier: BSD-3-Clause
// The parts of least cut that several ways find.
#pragma once

#include "place/graph/parts.hpp"

#include <span>
#include <vector>

namespace halocline::place {

/// The part of each vertex. Never worse than the vertices in their order, or breadth first, dealt to one part
/// after the other. `steps`: about how many edges may be looked at, in all; a first answer takes what it
/// takes. @pre all vertices are single ranks, and the sizes add up to them
[[nodiscard]] std::vector<Part> best_parts(const WorkGraph& graph, std::span<const Count> sizes, double steps,
                                           Dice& dice);

}  // namespace halocline::place
