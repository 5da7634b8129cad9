// SPDX-License-Identifier: BSD-3-Clause
#include "plan/messages/node_cells.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "place/cost/steps_on_grid.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace halocline::plan {

std::size_t row_dimension(const Grid& grid) {
  std::size_t along = grid.dimensions() - 1;
  while (along > 0 && grid.extents()[along] == 1) --along;
  return along;
}

View::View(const Grid& grid, const std::vector<Offset>& offsets)
    : along_(row_dimension(grid)), low_(grid.dimensions(), 0), high_(grid.dimensions(), 0) {
  std::map<Offset, Row> rows;
  const auto add = [&](const Offset& offset) {
    Offset to = offset;
    to[along_] = 0;
    Row& row = rows.try_emplace(to, Row{to, offset[along_], offset[along_]}).first->second;
    row.low = std::min(row.low, offset[along_]);
    row.high = std::max(row.high, offset[along_]);
    for (std::size_t d = 0; d < offset.size(); ++d) {
      low_[d] = std::min(low_[d], offset[d]);
      high_[d] = std::max(high_[d], offset[d]);
    }
  };
  add(Offset(grid.dimensions(), 0));
  for (const Offset& offset : offsets)
    if (const std::optional<Offset> inside = place::shortest(grid, offset)) add(*inside);
  for (auto& [to, row] : rows) rows_.push_back(std::move(row));
}

NodeCells::NodeCells(const Decomposition& decomposition, const NodeOfCell& node_of_cell, Count nodes)
    : decomposition_(decomposition),
      node_of_cell_(node_of_cell),
      nodes_(nodes),
      along_(row_dimension(decomposition.grid())),
      columns_(decomposition.grid().extents()[along_]) {
  const Grid& grid = decomposition.grid();
  strides_.assign(grid.dimensions(), 1);
  for (std::size_t d = grid.dimensions() - 1; d-- > 0;) strides_[d] = strides_[d + 1] * grid.extents()[d + 1];
  begins_.resize(node_of_cell.size() / word_bits + 1);
  if (alone()) {
    std::fill(begins_.begin(), begins_.end(), ~std::uint64_t{0});
    first_cell_.resize(node_of_cell.size());
    for (std::size_t cell = 0; cell < node_of_cell.size(); ++cell)
      first_cell_[to_index(node_of_cell[cell])] = static_cast<std::uint32_t>(cell);
  } else {
    number_runs();
  }
}

void NodeCells::number_runs() {
  const auto columns = to_size(columns_);
  const std::size_t cells = node_of_cell_.size();
  first_run_.assign(to_size(nodes_) + 1, 0);
  // Counted one place further on, so that filling them in makes ends into beginnings.
  for (std::size_t row = 0; row < cells; row += columns) {
    int node = -1;
    for (std::size_t cell = row; cell < row + columns; ++cell) {
      if (node_of_cell_[cell] == node) continue;
      node = node_of_cell_[cell];
      ++first_run_[to_index(node) + 1];
      begins_[cell / word_bits] |= std::uint64_t{1} << (cell % word_bits);
    }
  }
  std::uint32_t before = 0;
  for (std::size_t n = 1; n < first_run_.size(); ++n) {
    const std::uint32_t runs = first_run_[n];
    first_run_[n] = before;
    before += runs;
  }
  first_cell_.resize(before);
  const auto end = to_count(cells);
  for (Count cell = 0; cell < end; cell = next_run(cell, end))
    first_cell_[first_run_[to_index(node_of_cell_[to_index(cell)]) + 1]++] = static_cast<std::uint32_t>(cell);
}

void NodeCells::mark_ends(const View::Row& row, const Cell& cell, std::vector<char>& ends) const {
  const Grid& grid = decomposition_.grid();
  Count start = 0;
  for (std::size_t d = 0; d < along_; ++d) {
    Count x = cell[d] + row.to[d];
    if (grid.periodic(d)) x = floor_modulo(x, grid.extents()[d]);
    if (x < 0 || x >= grid.extents()[d]) return;
    start += x * strides_[d];
  }
  const bool ring = grid.periodic(along_);
  if (ring && row.high - row.low + 1 >= columns_) {
    std::fill(ends.begin(), ends.end(), 1);
    return;
  }
  const Count first = cell[along_], last = first + count_of(ends) - 1;
  Count from = first + row.low, to = last + row.high;
  if (!ring) from = std::max(from, Count{-1}), to = std::min(to, columns_);
  const int* const nodes = node_of_cell_.data() + start;
  for (Count c = from; c < to; ++c) {
    const Count here = ring ? floor_modulo(c, columns_) : c;
    const bool border = here == -1 || here == columns_ - 1;
    if (!border && nodes[here] == nodes[here + 1]) continue;
    const Count begin = std::max(first, c - row.high), end = std::min(last - 1, c - row.low);
    for (Count x = begin; x <= end; ++x) ends[to_index(x - first)] = 1;
  }
}

void NodeCells::mark_ends(const View& view, std::uint32_t first, std::vector<char>& ends) const {
  ends.back() = 1;
  if (ends.size() == 1) return;
  const Cell cell = decomposition_.grid().cell(first);
  for (const View::Row& row : view.rows()) mark_ends(row, cell, ends);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const Count x = cell[along_] + to_count(i);
    if (decomposition_.extent(along_, x) != decomposition_.extent(along_, x + 1)) ends[i] = 1;
  }
}

void NodeCells::for_each_stretch(Count node, const View& view, const OnStretch& visit) const {
  std::vector<char> ends;
  for (const std::uint32_t first : runs(node)) {
    ends.assign(to_size(length(first)), 0);
    mark_ends(view, first, ends);
    for (std::size_t i = 0, begin = 0; i < ends.size(); ++i) {
      if (ends[i] == 0) continue;
      visit(first + to_count(begin), to_count(i + 1 - begin));
      begin = i + 1;
    }
  }
}

}  // namespace halocline::plan
