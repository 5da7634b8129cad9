// SPDX-License-Identifier: BSD-3-Clause
// Finds the boxes of a list that have points in common with another box, without looking at all of them.
#pragma once

#include "halocline/describe/decomposition.hpp"

#include <optional>
#include <vector>

namespace halocline {

/// Points in common; none if there are none.
[[nodiscard]] std::optional<Box> common_points(const Box& one, const Box& other);

/// A tree over boxes: each node knows a box around all below it, and halves them by the middles of the boxes
/// along the dimension in which these lie farthest apart. O(n log n) to make.
class BoxTree {
 public:
  /// @pre all have the same dimension, and points
  explicit BoxTree(const std::vector<Box>& boxes);

  /// The places in the list of those that have points in common with `box`, increasing.
  [[nodiscard]] std::vector<std::size_t> touched_by(const Box& box) const;

 private:
  struct Node {
    Box around;
    std::size_t first, end;         ///< Of places_.
    std::size_t low = 0, high = 0;  ///< Its halves; 0 for a leaf.
  };

  std::size_t add(const std::vector<Box>& boxes, std::size_t first, std::size_t end);

  std::vector<Box> boxes_;  ///< In the order of the list.
  std::vector<std::size_t> places_;
  std::vector<Node> nodes_;
};

}  // namespace halocline
