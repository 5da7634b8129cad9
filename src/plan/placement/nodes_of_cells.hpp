// SPDX-License-Identifier: BSD-3-Clause
// The node of each cell of a placement.
#pragma once

#include "base/numbers.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/place/placement.hpp"
#include "place/cost/group_of.hpp"

#include <algorithm>
#include <vector>

namespace halocline::plan {

/// Row by row. O(cells), a chunk of them at a time. @pre there are fewer than 2^31 cells
template <class Node>
std::vector<Node> nodes_of_cells(const Machine& machine, const Placement& placement) {
  constexpr Count chunk = 1 << 14;
  const Count cells = placement.grid().size();
  const place::GroupOf<Node> group_of(machine.node_sizes());
  std::vector<Node> nodes(to_size(cells));
  std::vector<Rank> ranks;
  for (Count first = 0; first < cells; first += chunk) {
    ranks.resize(to_size(std::min(chunk, cells - first)));
    placement.ranks(first, ranks);
    group_of(ranks, nodes.data() + first);
  }
  return nodes;
}

}  // namespace halocline::plan
