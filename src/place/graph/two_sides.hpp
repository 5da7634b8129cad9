// SPDX-License-Identifier: BSD-3-Clause
// A graph cut in two, and how the cut gets better by moves of single vertices.
// Fiduccia and Mattheyses, "A Linear-Time Heuristic for Improving Network Partitions", DAC 1982.
#pragma once

#include "place/graph/gain_heap.hpp"
#include "place/graph/work_graph.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace halocline::place {

using Side = std::uint8_t;  ///< 0 or 1.

/// The weight of all edges between both sides.
[[nodiscard]] Count cut_between(const WorkGraph& graph, const std::vector<Side>& sides);

/// Moves vertices between two sides. Side 0 shall have the size `target`, to within less than the largest
/// vertex: exactly, if all vertices are single ranks.
class TwoSides {
 public:
  /// @pre one side a vertex; `graph` outlives this object
  TwoSides(const WorkGraph& graph, Count target, std::vector<Side> sides);

  /// Passes until one finds nothing, at most `passes`. The size gets better or stays right; if it was right,
  /// the cut is never worse.
  void refine(int passes);

  [[nodiscard]] Count cut() const { return cut_; }
  /// How far beyond what is allowed the sides are.
  [[nodiscard]] Count too_much() const { return too_much(excess_); }
  [[nodiscard]] std::vector<Side> take() && { return std::move(sides_); }

 private:
  [[nodiscard]] Count too_much(Count excess) const {
    const Count far = std::abs(excess);
    return far > tolerance_ ? far - tolerance_ : 0;
  }
  [[nodiscard]] Count excess_after(Vertex v) const {
    return sides_[v] == 0 ? excess_ - graph_.sizes[v] : excess_ + graph_.sizes[v];
  }
  [[nodiscard]] bool may_move(Vertex v, Count slack) const;
  bool pass(Count slack);
  void fill(bool only_boundary);
  [[nodiscard]] Vertex next_vertex(Count slack);
  void move(Vertex v, bool update_heaps);
  [[nodiscard]] std::size_t patience() const;

  const WorkGraph& graph_;
  std::vector<Side> sides_;
  Count tolerance_, slack_;
  Count excess_;  ///< The size of side 0 above its target.
  Count cut_ = 0;
  Counts gain_;    ///< How much less is cut if the vertex moves.
  Counts degree_;  ///< The weight of all its edges.
  std::vector<char> moved_;
  std::array<GainHeap, 2> heaps_;
};

}  // namespace halocline::place
