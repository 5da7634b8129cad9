// SPDX-License-Identifier: BSD-3-Clause
#include "place/simple/box_tree.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <array>

namespace halocline::place {

BoxTree::BoxTree(const Grid& grid, const std::function<Cut(const Counts&)>& cut, bool far_parts_small)
    : grid_extents_(grid.extents()), far_parts_small_(far_parts_small) {
  std::map<Counts, std::size_t> known;
  root_ = shape_of(grid_extents_, cut, known);
}

std::size_t BoxTree::shape_of(const Counts& extents, const std::function<Cut(const Counts&)>& cut,
                              std::map<Counts, std::size_t>& known) {
  if (const auto found = known.find(extents); found != known.end()) return found->second;
  BoxShape shape{cut(extents), extents, 1, 0, 0, {}, {}};
  for (const Count extent : extents) shape.cells *= extent;
  if (shape.cut.part > 0) {
    Counts part = extents;
    part[shape.cut.dimension] = shape.cut.part;
    shape.part = shape_of(part, cut, known);
    part[shape.cut.dimension] = extents[shape.cut.dimension] - shape.cut.part;
    shape.rest = shape_of(part, cut, known);
    if (shape.cells <= largest_kept && !far_parts_small_) shape.ranks = ranks_inside(shape);
  } else if (shape.cells == 1) {
    shape.ranks = {0};
  } else {
    shape.spacing.assign(extents.size(), 1);
    for (std::size_t i = shape.cut.order.size(); i-- > 1;)
      shape.spacing[shape.cut.order[i - 1]] = shape.spacing[shape.cut.order[i]] * extents[shape.cut.order[i]];
  }
  shapes_.push_back(std::move(shape));
  return known[extents] = shapes_.size() - 1;
}

std::vector<Rank> BoxTree::ranks_inside(const BoxShape& shape) const {
  const std::size_t d = shape.cut.dimension;
  const BoxShape &part = shapes_[shape.part], &rest = shapes_[shape.rest];
  Count outer = 1, layer = 1;  // the cells of a box lie row by row: `outer` times its layers across d
  for (std::size_t e = 0; e < shape.extents.size(); ++e)
    (e < d ? outer : layer) *= e == d ? 1 : shape.extents[e];
  std::vector<Rank> ranks;
  for (Count i = 0; i < outer; ++i) {
    for (Count j = 0; j < part.extents[d] * layer; ++j)
      ranks.push_back(part.ranks[to_index(i * part.extents[d] * layer + j)]);
    for (Count j = 0; j < rest.extents[d] * layer; ++j)
      ranks.push_back(part.cells + rest.ranks[to_index(i * rest.extents[d] * layer + j)]);
  }
  return ranks;
}

std::size_t BoxTree::lower(const BoxShape& shape, Count origin) const {
  const std::size_t d = shape.cut.dimension;
  // The middle of the box, origin + extent / 2, against the middle of the grid, without overflow.
  const bool far = far_parts_small_ && origin >= grid_extents_[d] - origin - shape.extents[d];
  return far ? shape.rest : shape.part;
}

void BoxTree::locate(Rank rank, std::span<Count> cell) const {
  std::fill(cell.begin(), cell.end(), 0);
  const BoxShape* box = &shapes_[root_];
  while (box->cut.part > 0) {
    const std::size_t d = box->cut.dimension;
    const std::size_t first = lower(*box, cell[d]);
    const BoxShape& first_box = shapes_[first];
    if (rank < first_box.cells) {
      box = &first_box;
    } else {
      rank -= first_box.cells;
      cell[d] += first_box.extents[d];
      box = &shapes_[box->part + box->rest - first];
    }
  }
  for (std::size_t i = box->cut.order.size(); i-- > 0;) {
    const std::size_t d = box->cut.order[i];
    cell[d] += rank % box->extents[d];
    rank /= box->extents[d];
  }
}

Rank BoxTree::owner(std::span<const Count> cell) const {
  constexpr std::size_t usual_dimensions = 8;
  std::array<Count, usual_dimensions> usual_origin{};
  Counts unusual_origin(cell.size() > usual_dimensions ? cell.size() : 0);
  Count* const origin = cell.size() > usual_dimensions ? unusual_origin.data() : usual_origin.data();

  Rank rank = 0;
  const BoxShape* box = &shapes_[root_];
  while (box->cut.part > 0) {
    const std::size_t d = box->cut.dimension;
    const std::size_t first = lower(*box, origin[d]);
    const BoxShape& first_box = shapes_[first];
    if (cell[d] - origin[d] < first_box.extents[d]) {
      box = &first_box;
    } else {
      rank += first_box.cells;
      origin[d] += first_box.extents[d];
      box = &shapes_[box->part + box->rest - first];
    }
  }
  Count inside = 0;
  for (const std::size_t d : box->cut.order) inside = inside * box->extents[d] + (cell[d] - origin[d]);
  return rank + inside;
}

/// Consecutive cells of the grid, row by row, and the layers of dimension 0 they lie in.
struct BoxTree::Range {
  Count first, first_layer, last_layer;
  std::span<Rank> ranks;
  Counts strides;  ///< Of each dimension, in cells.

  /// Writes rank_of(0), rank_of(1), ... to `count` cells in a row, as far as they lie in the range.
  template <class RankOf>
  void set_row(Count index, Count count, const RankOf& rank_of) const {
    const Count begin = std::max(Count{0}, first - index);
    const Count end = std::min(count, first + count_of(ranks) - index);
    for (Count i = begin; i < end; ++i) ranks[to_index(index - first + i)] = rank_of(i);
  }
};

void BoxTree::owners(const Grid& grid, Count first, std::span<Rank> ranks) const {
  if (ranks.empty()) return;
  Counts strides(grid.dimensions(), 1);
  for (std::size_t d = strides.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * grid.extents()[d + 1];
  const Count last = first + count_of(ranks) - 1;
  const Range range{first, first / strides[0], last / strides[0], ranks, std::move(strides)};
  Counts origin(grid.dimensions(), 0);
  fill(range, shapes_[root_], origin, 0, 0);
}

void BoxTree::fill(const Range& range, const BoxShape& box, Counts& origin, Count index, Rank rank) const {
  if (origin[0] > range.last_layer || origin[0] + box.extents[0] <= range.first_layer) return;
  if (box.cut.part == 0 || !box.ranks.empty()) {
    const Count first = std::max(Count{0}, range.first_layer - origin[0]);
    const Count last = std::min(box.extents[0], range.last_layer - origin[0] + 1);
    return fill_rows(range, box, 0, first, last, index, rank, 0);
  }
  const std::size_t d = box.cut.dimension, first = lower(box, origin[d]);
  const BoxShape& first_box = shapes_[first];
  const Count extent = first_box.extents[d];
  fill(range, first_box, origin, index, rank);
  origin[d] += extent;
  fill(range, shapes_[box.part + box.rest - first], origin, index + extent * range.strides[d],
       rank + first_box.cells);
  origin[d] -= extent;
}

void BoxTree::fill_rows(const Range& range, const BoxShape& box, std::size_t d, Count first, Count last,
                        Count index, Rank rank, Count inside) {
  if (d + 1 < box.extents.size()) {
    const Count spacing = box.ranks.empty() ? box.spacing[d] : 0;
    for (Count x = first; x < last; ++x)
      fill_rows(range, box, d + 1, 0, box.extents[d + 1], index + x * range.strides[d], rank + x * spacing,
                (inside + x) * box.extents[d + 1]);
  } else if (box.ranks.empty()) {
    const Count spacing = box.spacing[d];
    range.set_row(index, box.extents[d], [&](Count i) { return rank + i * spacing; });
  } else {
    const Rank* const known = box.ranks.data() + inside;
    range.set_row(index, box.extents[d], [&](Count i) { return rank + known[i]; });
  }
}

}  // namespace halocline::place
