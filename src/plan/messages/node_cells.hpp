// SPDX-License-Identifier: BSD-3-Clause
// The cells of each node, as runs along the grid's rows, and what a process on one of them sees around it.
#pragma once

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "plan/messages/message_walk.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace halocline::plan {

/// The cells at some offsets from any one, as stretches of rows: a row is what differs in one dimension, the
/// last that has more than one cell.
class View {
 public:
  /// Offsets that lead nowhere on the grid are left out.
  View(const Grid& grid, const std::vector<Offset>& offsets);

  struct Row {
    Offset to;        ///< Which row, 0 along itself.
    Count low, high;  ///< From where to where, both included.
  };
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// The dimension along which rows run.
  [[nodiscard]] std::size_t along() const { return along_; }
  /// How far it reaches along a dimension.
  [[nodiscard]] Count low(std::size_t dimension) const { return low_[dimension]; }
  [[nodiscard]] Count high(std::size_t dimension) const { return high_[dimension]; }

 private:
  std::size_t along_;
  std::vector<Row> rows_;
  Counts low_, high_;
};

/// The dimension along which rows run: the last that has more than one cell.
[[nodiscard]] std::size_t row_dimension(const Grid& grid);

class NodeCells {
 public:
  /// O(cells); a word for each run. @pre both outlive this object; there are fewer than 2^32 cells, some on
  /// each node
  NodeCells(const Decomposition& decomposition, const NodeOfCell& node_of_cell, Count nodes);

  [[nodiscard]] Count nodes() const { return nodes_; }
  /// Is each process on a node of its own?
  [[nodiscard]] bool alone() const { return nodes_ == count_of(node_of_cell_); }
  /// The first cell of each run of a node.
  [[nodiscard]] std::span<const std::uint32_t> runs(Count node) const {
    const auto n = to_index(node);
    if (alone()) return std::span(first_cell_).subspan(n, 1);
    return std::span(first_cell_).subspan(first_run_[n], first_run_[n + 1] - first_run_[n]);
  }
  /// How many cells a run has.
  [[nodiscard]] Count length(std::uint32_t first_cell) const {
    return next_run(first_cell, count_of(node_of_cell_)) - first_cell;
  }
  /// The first cell behind `cell` with which a run begins, but not beyond `end`. @pre cell < end
  [[nodiscard]] Count next_run(Count cell, Count end) const {
    Count next = cell + 1;
    for (std::size_t word = to_index(next) / word_bits; next < end; next = to_count(++word * word_bits))
      if (const std::uint64_t rest = begins_[word] >> (to_index(next) % word_bits); rest != 0)
        return std::min(next + std::countr_zero(rest), end);
    return end;
  }

  [[nodiscard]] const Decomposition& decomposition() const { return decomposition_; }
  [[nodiscard]] const NodeOfCell& node_of_cell() const { return node_of_cell_; }
  [[nodiscard]] Count columns() const { return columns_; }

  /// Calls visit(cell, cells) for stretches of a row that together are all cells of a node. From all cells of
  /// a stretch those in view are on the same nodes, or missing, their shares are equal, and with the cell
  /// the numbers of those in view go up one by one.
  using OnStretch = std::function<void(Count cell, Count cells)>;
  void for_each_stretch(Count node, const View& view, const OnStretch& visit) const;

 private:
  static constexpr std::size_t word_bits = 64;

  /// Finds the runs of each node.
  void number_runs();
  /// Marks the cells of a run, from cell number `first` on, behind which a view ends.
  void mark_ends(const View& view, std::uint32_t first, std::vector<char>& ends) const;
  void mark_ends(const View::Row& row, const Cell& cell, std::vector<char>& ends) const;

  const Decomposition& decomposition_;
  const NodeOfCell& node_of_cell_;
  Count nodes_;
  std::size_t along_;
  Count columns_;
  Counts strides_;
  std::vector<std::uint32_t> first_run_;   ///< For each node, and the end; none where each has one.
  std::vector<std::uint32_t> first_cell_;  ///< Of each run.
  std::vector<std::uint64_t> begins_;      ///< A bit for each cell: does a run begin with it?
};

}  // namespace halocline::plan
