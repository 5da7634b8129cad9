// SPDX-License-Identifier: BSD-3-Clause
// Messages of stencils on grids whose cells are numbered in some way, and noise, for tests of their
// recognition.
#pragma once

#include "base/numbers.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"
#include "plan/pattern/message_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace halocline::plan {

using Entries = std::vector<MessageMatrix::Entry>;

/// The rank of each cell, row by row.
using Numbering = std::vector<Rank>;

inline Numbering row_by_row(const Grid& grid) {
  Numbering ranks(to_size(grid.size()));
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  return ranks;
}

/// The first dimension fastest.
inline Numbering column_by_column(const Grid& grid) {
  Numbering ranks;
  for (Count number = 0; number < grid.size(); ++number) {
    const Cell cell = grid.cell(number);
    Rank rank = 0;
    for (std::size_t d = grid.dimensions(); d-- > 0;) rank = rank * grid.extents()[d] + cell[d];
    ranks.push_back(rank);
  }
  return ranks;
}

/// Box after box. @pre the sides divide the extents
inline Numbering box_by_box(const Grid& grid, const Counts& box) {
  Numbering ranks;
  for (Count number = 0; number < grid.size(); ++number) {
    const Cell cell = grid.cell(number);
    Rank outer = 0, inner = 0, cells = 1;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      outer = outer * (grid.extents()[d] / box[d]) + cell[d] / box[d];
      inner = inner * box[d] + cell[d] % box[d];
      cells *= box[d];
    }
    ranks.push_back(outer * cells + inner);
  }
  return ranks;
}

/// Bits of the coordinates in turns. @pre the extents are the same power of two
inline Numbering along_z(const Grid& grid) {
  Numbering ranks;
  for (Count number = 0; number < grid.size(); ++number) {
    const Cell cell = grid.cell(number);
    Rank rank = 0;
    for (int bit = 20; bit-- > 0;)
      for (std::size_t d = 0; d < grid.dimensions(); ++d) rank = 2 * rank + (cell[d] >> bit & 1);
    ranks.push_back(rank);
  }
  return ranks;
}

inline Numbering shuffled(const Grid& grid, std::mt19937_64& random) {
  Numbering ranks = row_by_row(grid);
  std::shuffle(ranks.begin(), ranks.end(), random);
  return ranks;
}

/// What every cell sends along the stencil, its weights in bytes.
inline Entries traffic(const Grid& grid, const Stencil& stencil, const Numbering& ranks) {
  Entries entries;
  for (Count number = 0; number < grid.size(); ++number) {
    const Cell cell = grid.cell(number);
    for (std::size_t i = 0; i < stencil.size(); ++i)
      if (const auto neighbour = grid.neighbor(cell, stencil.offsets()[i]))
        entries.push_back(
            {ranks[to_size(number)], ranks[to_size(grid.index(*neighbour))], stencil.weights()[i]});
  }
  return entries;
}

/// The faces and edges of a cube, without its corners.
inline Stencil eighteen() {
  const Stencil cube = Stencil::moore(3, 1);
  std::vector<Offset> offsets;
  for (const Offset& offset : cube.offsets())
    if (std::count(offset.begin(), offset.end(), 0) > 0) offsets.push_back(offset);
  return Stencil(std::move(offsets));
}

}  // namespace halocline::plan
