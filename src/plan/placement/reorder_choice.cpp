// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/reorder_choice.hpp"

namespace halocline::plan {

GraphOrderChoice choose_graph_order(const GraphFacts& facts) {
  if (facts.crossing == 0) return {GraphOrder::none, "nothing crosses between nodes"};
  if (facts.is_grid()) return {GraphOrder::placement, nullptr};
  if (facts.maps()) return {GraphOrder::mapping, nullptr};
  return {GraphOrder::none, "a graph that is not a grid's, and no Scotch to map it"};
}

bool pays_to_renumber(Count before, Count after) { return after < before; }

}  // namespace halocline::plan
