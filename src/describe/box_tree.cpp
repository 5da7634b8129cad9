// SPDX-License-Identifier: BSD-3-Clause
#include "describe/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace halocline {
namespace {

constexpr std::size_t most_in_leaf = 8;

Count end_of(const Box& box, std::size_t d) { return box.first[d] + box.extents[d]; }

bool touch(const Box& one, const Box& other) {
  for (std::size_t d = 0; d < one.first.size(); ++d)
    if (one.first[d] >= end_of(other, d) || other.first[d] >= end_of(one, d)) return false;
  return true;
}

void widen(Box& around, const Box& box) {
  for (std::size_t d = 0; d < box.first.size(); ++d) {
    const Count end = std::max(end_of(around, d), end_of(box, d));
    around.first[d] = std::min(around.first[d], box.first[d]);
    around.extents[d] = end - around.first[d];
  }
}

/// Half of it may not be whole, and the sum of both ends may be too large.
Count middle(const Box& box, std::size_t d) { return box.first[d] + box.extents[d] / 2; }

}  // namespace

std::optional<Box> common_points(const Box& one, const Box& other) {
  if (!touch(one, other)) return std::nullopt;
  Box common = one;
  for (std::size_t d = 0; d < one.first.size(); ++d) {
    common.first[d] = std::max(one.first[d], other.first[d]);
    common.extents[d] = std::min(end_of(one, d), end_of(other, d)) - common.first[d];
  }
  return common;
}

BoxTree::BoxTree(const std::vector<Box>& boxes) : boxes_(boxes), places_(boxes.size()) {
  std::iota(places_.begin(), places_.end(), std::size_t{0});
  if (!boxes.empty()) (void)add(boxes, 0, boxes.size());
}

std::size_t BoxTree::add(const std::vector<Box>& boxes, std::size_t first, std::size_t end) {
  const std::size_t number = nodes_.size();
  nodes_.push_back({boxes[places_[first]], first, end});
  for (std::size_t i = first + 1; i < end; ++i) widen(nodes_[number].around, boxes[places_[i]]);
  if (end - first <= most_in_leaf) return number;
  std::size_t widest = 0;
  Count spread = -1;
  for (std::size_t d = 0; d < boxes.front().first.size(); ++d) {
    const auto [least, most] = std::minmax_element(
        places_.begin() + static_cast<std::ptrdiff_t>(first),
        places_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](std::size_t a, std::size_t b) { return middle(boxes[a], d) < middle(boxes[b], d); });
    const Count its = middle(boxes[*most], d) - middle(boxes[*least], d);
    if (its > spread) spread = its, widest = d;
  }
  const std::size_t half = first + (end - first) / 2;
  std::nth_element(
      places_.begin() + static_cast<std::ptrdiff_t>(first),
      places_.begin() + static_cast<std::ptrdiff_t>(half), places_.begin() + static_cast<std::ptrdiff_t>(end),
      [&](std::size_t a, std::size_t b) { return middle(boxes[a], widest) < middle(boxes[b], widest); });
  const std::size_t low = add(boxes, first, half);
  const std::size_t high = add(boxes, half, end);
  nodes_[number].low = low;
  nodes_[number].high = high;
  return number;
}

std::vector<std::size_t> BoxTree::touched_by(const Box& box) const {
  std::vector<std::size_t> found, open;
  if (!nodes_.empty()) open.push_back(0);
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (!touch(node.around, box)) continue;
    if (node.low != 0) {
      open.push_back(node.low);
      open.push_back(node.high);
      continue;
    }
    for (std::size_t i = node.first; i < node.end; ++i)
      if (touch(boxes_[places_[i]], box)) found.push_back(places_[i]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace halocline
