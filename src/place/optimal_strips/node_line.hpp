// SPDX-License-Identifier: BSD-3-Clause
// The nodes laid end to end along a walk through all cells, in an order of our choosing.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/runs.hpp"

#include <span>
#include <vector>

namespace halocline::place {

/// A bijection between ranks and positions along a walk that keeps every node in one piece. Memory and
/// look-ups depend on the runs of equal nodes only.
class NodeLine {
 public:
  /// Equal nodes in a row. Positions count cells along the walk, ranks the node-sorted order.
  struct Stretch {
    Count first_position, first_rank, nodes, size;
    std::size_t kind = 0;  ///< The number of the size among sizes().
    [[nodiscard]] Count end() const { return first_position + nodes * size; }
    /// The cells that lie before `position` in its node. @pre the position lies in this stretch
    [[nodiscard]] Count past(Count position) const { return (position - first_position) % size; }
  };

  /// The node that a position lies in: where it starts and ends.
  struct Node {
    Count begin, end;
  };

  /// The nodes in the order of their ranks; the largest first; or the largest, the smallest, the next largest
  /// and so on, which takes O(nodes) memory.
  [[nodiscard]] static NodeLine in_rank_order(const Runs& sizes);
  [[nodiscard]] static NodeLine largest_first(const Runs& sizes);
  [[nodiscard]] static NodeLine interleaved(const Runs& sizes);

  [[nodiscard]] Rank rank(Count position) const;
  [[nodiscard]] Count position(Rank rank) const;
  /// Makes positions into ranks, all at once.
  void make_ranks(std::span<Count> positions) const;

  [[nodiscard]] Node node_at(Count position) const;
  [[nodiscard]] const Stretch& stretch_at(Count position) const { return stretches_[by_position(position)]; }
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }

  /// Are the sizes of the nodes the same all along the walk? True only if the stretches are the same, too.
  [[nodiscard]] bool same_sizes(const NodeLine& other) const;

  /// The different sizes of nodes, increasing.
  [[nodiscard]] const Counts& sizes() const { return sizes_; }

 private:
  /// @pre the stretches are in the order of the walk and have their ranks
  explicit NodeLine(std::vector<Stretch> stretches);
  [[nodiscard]] std::size_t by_position(Count position) const;

  std::vector<Stretch> stretches_;        ///< In the order of the walk.
  std::vector<std::size_t> by_rank_;      ///< The same in the order of ranks.
  Counts first_positions_, first_ranks_;  ///< The keys of both orders, for binary search.
  Counts sizes_;
  bool in_rank_order_ = true;  ///< Then positions are ranks.
};

}  // namespace halocline::place
