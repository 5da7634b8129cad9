// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/place/placement.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "place/problem/rule.hpp"

namespace halocline {

void Placement::Rule::owners(const Grid& grid, Count first, std::span<Rank> ranks) const {
  if (ranks.empty()) return;
  Cell cell = grid.cell(first);
  for (Rank& rank : ranks) {
    rank = owner(cell);
    for (std::size_t d = cell.size(); d-- > 0;) {
      if (++cell[d] < grid.extents()[d]) break;
      cell[d] = 0;
    }
  }
}

Cell Placement::cell(Rank rank) const {
  Cell result(grid_.dimensions());
  cell(rank, result);
  return result;
}

// The texts of these errors are only put together when one is thrown: look-ups take nanoseconds.

void Placement::cell(Rank rank, std::span<Count> cell) const {
  if (rank < 0 || rank >= grid_.size()) [[unlikely]]
    fail(Fault::invalid_argument, "rank ", rank, " is outside the grid ", grid_.to_text(), " of ",
         grid_.size(), " cells");
  check_components(cell.size());
  rule_->locate(rank, cell);
}

Rank Placement::rank(std::span<const Count> cell) const {
  check_components(cell.size());
  for (std::size_t d = 0; d < cell.size(); ++d)
    if (cell[d] < 0 || cell[d] >= grid_.extents()[d]) [[unlikely]]
      fail(Fault::invalid_argument, "component ", d, " of the cell is ", cell[d], ", outside the grid ",
           grid_.to_text());
  return rule_->owner(cell);
}

void Placement::ranks(Count first, std::span<Rank> ranks) const {
  const auto count = count_of(ranks);
  if (first < 0 || first > grid_.size() || count > grid_.size() - first) [[unlikely]]
    fail(Fault::invalid_argument, count, " cells from number ", first, " do not all lie in the grid ",
         grid_.to_text());
  rule_->owners(grid_, first, ranks);
}

void Placement::check_components(std::size_t components) const {
  if (components != grid_.dimensions()) [[unlikely]]
    fail(Fault::invalid_argument, "a cell of ", components, " components in a grid of ", grid_.dimensions(),
         " dimensions");
}

}  // namespace halocline
