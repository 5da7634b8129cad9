// SPDX-License-Identifier: BSD-3-Clause
// Messages that are those of a stencil on a Cartesian grid, whatever numbers its cells have.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"
#include "plan/pattern/message_matrix.hpp"

#include <optional>
#include <string>

namespace halocline::plan {

struct GridPattern {
  Grid grid;
  Stencil stencil;             ///< The weight of an offset is the mean of its bytes, 1 at least.
  std::vector<Count> cell_of;  ///< Of each rank: its number in the grid, row by row.
  std::string numbering;       ///< "row-major", "boxes 2x2x2", "Morton order"; empty if it has no name.
  Count explained_bytes = 0;   ///< On pairs that are an offset of the stencil apart.
  Count absent = 0;            ///< Pairs that are such an offset apart and send nothing.
};

/// What of the bytes a grid has to explain to be one.
inline constexpr double least_explained = 0.95;

/// The grid that explains the messages, at most 6 dimensions, each open or periodic, with offsets of at most
/// 4 steps along a dimension. First the ranks are read row by row, in all grids of as many cells (4
/// dimensions or fewer); then the cells are found from the graph alone. Whatever is found is checked against
/// every pair and has to explain least_explained of all bytes; an offset counts if nine tenths of the pairs
/// that are so far apart send along it. Nothing if there is no such grid, or if every rank sends about the
/// same to every other: then no order of the ranks is better than another.
[[nodiscard]] std::optional<GridPattern> grid_pattern(const MessageMatrix& matrix);

}  // namespace halocline::plan
