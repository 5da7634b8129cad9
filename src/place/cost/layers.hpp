// SPDX-License-Identifier: BSD-3-Clause
// A grid seen layer by layer (dimension 0), as the computation of costs streams over it: the groups of the
// cells of a few layers at a time, and the rows of two layers that a step of the stencil connects.
#pragma once

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/place/placement.hpp"
#include "place/cost/group_of.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace halocline::place {

/// How a grid is cut into batches of layers, each to be seen with the layers from `low` before to `high`
/// behind it. Batches may grow, so that little is done in vain if the first ones tell enough.
struct Layers {
  Layers(const Grid& whole, Count reach_low, Count reach_high)
      : grid(whole),
        count(whole.extents()[0]),
        cells(whole.size() / count),
        low(reach_low),
        high(reach_high),
        first_batch(std::clamp(cells_at_first / cells, Count{1}, count)),
        batch(std::clamp(std::clamp(whole.size() / 8, small_batch, large_batch) / cells, Count{1}, count)) {}

  /// Is there a layer at `position`, perhaps around the border?
  [[nodiscard]] bool exists(Count position) const {
    return grid.periodic(0) || (0 <= position && position < count);
  }

  /// In cells. Large batches make calls cheap, small ones memory.
  static constexpr Count cells_at_first = 1024, small_batch = 8192, large_batch = 16384;
  const Grid& grid;
  Count count, cells;
  Count low, high;
  Count first_batch, batch;  ///< The smallest and the largest, in layers.
};

/// The groups of the cells of one batch of layers and those around it, for one level of the machine.
template <class Word>
class LayerWindow {
 public:
  LayerWindow(const Layers& layers, const Runs& sizes)
      : low_(layers.low), cells_(layers.cells), group_of_(sizes) {
    groups_.resize(
        to_size(checked_multiply(checked_add(layers.batch, layers.high - layers.low), layers.cells)));
  }

  /// The groups of a layer. @pre the position is at most low before or high behind the batch
  [[nodiscard]] const Word* layer(Count position) const {
    return groups_.data() + (position - first_ - low_) * cells_;
  }

  /// Takes the ranks of whole layers from `position` on.
  void load(Count position, std::span<const Rank> ranks) {
    group_of_(ranks, groups_.data() + (position - first_ - low_) * cells_);
  }

  /// Makes the batch one that starts at `first`; keeps the `kept` layers that come first now.
  void move_to(Count first, Count kept) {
    const auto begin = groups_.begin() + (first - first_) * cells_;
    if (kept > 0) std::copy(begin, begin + kept * cells_, groups_.begin());
    first_ = first;
  }

 private:
  Count low_, cells_;
  Count first_ = 0;
  GroupOf<Word> group_of_;
  std::vector<Word> groups_;
};

/// Streams the layers from `first` to `last` through the windows: calls visit(begin, end) for one batch after
/// the other, the first one of `batch` layers, with every window on it, until it returns false.
template <class Word, class Visit>
void for_each_batch(const Layers& layers, const Placement& placement, Count first, Count last, Count batch,
                    std::span<LayerWindow<Word>> windows, const Visit& visit) {
  const auto ranks = std::make_unique_for_overwrite<Rank[]>(to_size(layers.batch * layers.cells));
  const auto load = [&](Count from, Count to) {
    for (Count position = from, next = from; position < to; position = next) {
      next = position + 1;
      if (!layers.exists(position)) continue;
      const Count layer = floor_modulo(position, layers.count);
      next = std::min({position + layers.batch, position + layers.count - layer, to});
      const std::span<Rank> some(ranks.get(), to_size((next - position) * layers.cells));
      placement.ranks(layer * layers.cells, some);
      for (LayerWindow<Word>& window : windows) window.load(position, some);
    }
  };
  const Count around = layers.high - layers.low;
  Count loaded = first + layers.low;
  for (Count begin = first, end = first; begin <= last;
       begin = end, batch = std::min(2 * batch, layers.batch)) {
    end = std::min(begin + batch, last + 1);
    for (LayerWindow<Word>& window : windows) window.move_to(begin, begin == first ? 0 : around);
    load(loaded, end + layers.high);
    loaded = end + layers.high;
    if (!visit(begin, end)) return;
  }
}

/// Calls visit(from, to, cells) for every row of cells of a layer that `offset` connects with a row of the
/// layer it leads to: the numbers of their first cells inside the layers, and how many follow.
template <class Visit>
void for_each_row(const Grid& grid, const Offset& offset, const Visit& visit, std::size_t d = 1,
                  Count from = 0, Count to = 0) {
  if (d >= grid.dimensions()) return visit(from, to, Count{1});
  const Count extent = grid.extents()[d], shift = offset[d];
  const auto span = [&](Count first, Count last, Count moved) {
    if (first >= last) return;
    if (d + 1 == grid.dimensions())
      return visit(from * extent + first, to * extent + first + moved, last - first);
    for (Count x = first; x < last; ++x)
      for_each_row(grid, offset, visit, d + 1, from * extent + x, to * extent + x + moved);
  };
  const Count inner_first = std::max(Count{0}, -shift), inner_last = std::min(extent, extent - shift);
  span(inner_first, inner_last, shift);
  if (!grid.periodic(d)) return;
  span(0, inner_first, shift + extent);
  span(inner_last, extent, shift - extent);
}

}  // namespace halocline::place
