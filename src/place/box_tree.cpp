#include "place/box_tree.hpp"

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
  Shape shape{cut(extents), extents, 1, 0, 0};
  for (const Count extent : extents) shape.cells *= extent;
  if (shape.cut.part > 0) {
    Counts part = extents;
    part[shape.cut.dimension] = shape.cut.part;
    shape.part = shape_of(part, cut, known);
    part[shape.cut.dimension] = extents[shape.cut.dimension] - shape.cut.part;
    shape.rest = shape_of(part, cut, known);
  }
  shapes_.push_back(std::move(shape));
  return known[extents] = shapes_.size() - 1;
}

std::size_t BoxTree::lower(const Shape& shape, Count origin) const {
  const std::size_t d = shape.cut.dimension;
  // The middle of the box, origin + extent / 2, against the middle of the grid, without overflow.
  const bool far = far_parts_small_ && origin >= grid_extents_[d] - origin - shape.extents[d];
  return far ? shape.rest : shape.part;
}

void BoxTree::locate(Rank rank, std::span<Count> cell) const {
  std::fill(cell.begin(), cell.end(), 0);
  const Shape* box = &shapes_[root_];
  while (box->cut.part > 0) {
    const std::size_t d = box->cut.dimension;
    const std::size_t first = lower(*box, cell[d]);
    const Shape& first_box = shapes_[first];
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
  const Shape* box = &shapes_[root_];
  while (box->cut.part > 0) {
    const std::size_t d = box->cut.dimension;
    const std::size_t first = lower(*box, origin[d]);
    const Shape& first_box = shapes_[first];
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

  void set(Count index, Rank rank) const {
    const Count i = index - first;
    if (0 <= i && i < static_cast<Count>(ranks.size())) ranks[static_cast<std::size_t>(i)] = rank;
  }
};

void BoxTree::owners(const Grid& grid, Count first, std::span<Rank> ranks) const {
  if (ranks.empty()) return;
  Counts strides(grid.dimensions(), 1);
  for (std::size_t d = strides.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * grid.extents()[d + 1];
  const Count last = first + static_cast<Count>(ranks.size()) - 1;
  Range range{first, first / strides[0], last / strides[0], ranks, strides};
  Counts origin(grid.dimensions(), 0);
  fill(range, shapes_[root_], origin, 0);
}

void BoxTree::fill(Range& range, const Shape& box, Counts& origin, Rank rank) const {
  if (origin[0] > range.last_layer || origin[0] + box.extents[0] <= range.first_layer) return;
  if (box.cut.part == 0) return fill_cells(range, box, origin, rank);
  const std::size_t d = box.cut.dimension, first = lower(box, origin[d]);
  const Shape& first_box = shapes_[first];
  fill(range, first_box, origin, rank);
  origin[d] += first_box.extents[d];
  fill(range, shapes_[box.part + box.rest - first], origin, rank + first_box.cells);
  origin[d] -= first_box.extents[d];
}

void BoxTree::fill_cells(const Range& range, const Shape& box, const Counts& origin, Rank rank) {
  Count index = 0;
  for (std::size_t d = 0; d < origin.size(); ++d) index += origin[d] * range.strides[d];
  if (box.cells == 1) return range.set(index, rank);
  Counts inside(origin.size(), 0);
  for (Count i = 0; i < box.cells; ++i) {
    range.set(index, rank + i);
    for (std::size_t j = inside.size(); j-- > 0;) {
      const std::size_t d = box.cut.order[j];
      index += range.strides[d];
      if (++inside[d] < box.extents[d]) break;
      index -= box.extents[d] * range.strides[d];
      inside[d] = 0;
    }
  }
}

}  // namespace halocline::place
