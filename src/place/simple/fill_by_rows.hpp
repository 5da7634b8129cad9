// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/numbers.hpp"
#include "halocline/place/placement.hpp"
#include "place/problem/rule.hpp"

#include <algorithm>

namespace halocline::place {

/// Cells in a row of the grid's last dimension whose ranks are evenly spaced.
struct EvenRow {
  Rank first;
  Count spacing, length;
};

/// A dimension along which the ranks of cells are evenly spaced while its coordinate is in [begin, end).
struct EvenDimension {
  std::size_t dimension;
  Count begin, end;
};

/// One more row behind two others at the same distances.
inline void continue_row(const Rank* __restrict before, const Rank* __restrict earlier, Count cells,
                         Rank* __restrict row) {
  for (Count i = 0; i < cells; ++i) row[i] = 2 * before[i] - earlier[i];
}

/// Placement::Rule::owners for rules that know even rows: row_from(cell) is the one that starts at `cell`, or
/// a part of it. Rows behind two others along the even dimension are continued from them.
template <class RowFrom>
void fill_by_rows(const Grid& grid, Count first, std::span<Rank> ranks, const EvenDimension& even,
                  const RowFrom& row_from) {
  const std::size_t last = grid.dimensions() - 1;
  const Count row_cells = grid.extents()[last], cells = count_of(ranks);
  Count stride = 1;
  for (std::size_t d = last; d > even.dimension; --d) stride *= grid.extents()[d];
  Cell cell = grid.cell(first);
  for (Count done = 0; done < cells;) {
    Rank* const out = ranks.data() + done;
    const Count along = cell[even.dimension];
    const bool continued = even.dimension < last && cell[last] == 0 && done >= 2 * stride &&
                           along >= even.begin + 2 && along < even.end;
    const EvenRow row = continued ? EvenRow{0, 0, row_cells} : row_from(cell);
    const Count count = std::min(row.length, cells - done);
    if (continued) {
      continue_row(out - stride, out - 2 * stride, count, out);
    } else {
      Rank rank = row.first;
      for (Count i = 0; i < count; ++i, rank += row.spacing) out[i] = rank;
    }
    done += count;
    cell[last] += count;
    for (std::size_t d = last; d > 0 && cell[d] == grid.extents()[d]; --d) {
      cell[d] = 0;
      ++cell[d - 1];
    }
  }
}

}  // namespace halocline::place
