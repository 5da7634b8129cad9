#pragma once

#include "halocline/place/placement.hpp"

#include <algorithm>

namespace halocline::place {

/// Cells in a row of the grid's last dimension whose ranks are evenly spaced.
struct EvenRow {
  Rank first;
  Count spacing, length;
};

/// Placement::Rule::owners for rules that know even rows: row_from(cell) is the one that starts at `cell`, or
/// a part of it.
template <class RowFrom>
void fill_by_rows(const Grid& grid, Count first, std::span<Rank> ranks, const RowFrom& row_from) {
  const Count row_cells = grid.extents().back();
  Cell cell = grid.cell(first);
  for (std::size_t done = 0; done < ranks.size();) {
    const EvenRow row = row_from(cell);
    const Count count = std::min(row.length, static_cast<Count>(ranks.size() - done));
    Rank* const out = ranks.data() + done;
    for (Count i = 0; i < count; ++i) out[i] = row.first + i * row.spacing;
    done += static_cast<std::size_t>(count);
    cell.back() += count;
    if (cell.back() < row_cells) continue;
    for (std::size_t d = cell.size(); d-- > 0;) {
      if (d + 1 < cell.size()) ++cell[d];
      if (d + 1 < cell.size() && cell[d] < grid.extents()[d]) break;
      cell[d] = 0;
    }
  }
}

}  // namespace halocline::place
