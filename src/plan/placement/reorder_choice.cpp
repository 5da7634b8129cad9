// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/reorder_choice.hpp"

namespace halocline::plan {

GraphOrderChoice choose_graph_order(const GraphFacts& facts) {
  if (facts.crossing == 0) return {GraphOrder::none, "nothing crosses between nodes"};
  return {facts.is_grid() ? GraphOrder::placement : GraphOrder::mapping, nullptr};
}

bool pays_to_renumber(Count before, Count after) { return after < before; }

}  // namespace halocline::plan
