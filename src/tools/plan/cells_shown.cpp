// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/cells_shown.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/describe/decomposition.hpp"

#include <algorithm>

namespace halocline::tools {
namespace {

Counts blocks_of(const Counts& extents, const Counts& block) {
  Counts blocks;
  for (std::size_t d = 0; d < extents.size(); ++d) blocks.push_back(divide_up(extents[d], block[d]));
  return blocks;
}

/// Blocks as like a cube as can be: the dimension that shows the most blocks is coarsened first.
Counts block_for(const Counts& extents, Count most) {
  Counts block(extents.size(), 1);
  for (Counts blocks = extents; checked_product(blocks) > most; blocks = blocks_of(extents, block))
    ++block[to_index(std::max_element(blocks.begin(), blocks.end()) - blocks.begin())];
  return block;
}

/// The node that occurs most often, of equals the first. Sorts `nodes`.
std::uint32_t most_frequent(std::vector<std::uint32_t>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  std::uint32_t winner = nodes.front();
  std::size_t longest = 0;
  for (std::size_t first = 0, last = 0; first < nodes.size(); first = last) {
    while (last < nodes.size() && nodes[last] == nodes[first]) ++last;
    if (last - first <= longest) continue;
    longest = last - first;
    winner = nodes[first];
  }
  return winner;
}

/// The nodes of the cells of one block.
void nodes_of_block(const Placement& placement, const Machine& machine, const Box& box,
                    std::vector<std::uint32_t>& nodes) {
  nodes.clear();
  const Grid& grid = placement.grid();
  Cell cell = box.first;
  const std::size_t last = cell.size() - 1;
  std::vector<Rank> row(to_size(box.extents[last]));
  for (bool more = true; more;) {
    placement.ranks(grid.index(cell), row);
    for (const Rank rank : row) nodes.push_back(static_cast<std::uint32_t>(machine.node_of(rank)));
    more = false;
    for (std::size_t d = last; d-- > 0 && !more;) {
      more = ++cell[d] < box.first[d] + box.extents[d];
      if (!more) cell[d] = box.first[d];
    }
  }
}

}  // namespace

CellsShown cells_shown(const Placement& placement, const Machine& machine, Count most) {
  const Grid& grid = placement.grid();
  const Counts block = block_for(grid.extents(), most);
  const Grid blocks(blocks_of(grid.extents(), block));
  CellsShown shown{blocks.extents(), block, {}};
  shown.nodes.reserve(to_size(blocks.size()));
  std::vector<std::uint32_t> nodes;
  for (Count b = 0; b < blocks.size(); ++b) {
    Box box{blocks.cell(b), block};
    for (std::size_t d = 0; d < block.size(); ++d) {
      box.first[d] *= block[d];
      box.extents[d] = std::min(block[d], grid.extents()[d] - box.first[d]);
    }
    nodes_of_block(placement, machine, box, nodes);
    shown.nodes.push_back(most_frequent(nodes));
  }
  return shown;
}

}  // namespace halocline::tools
