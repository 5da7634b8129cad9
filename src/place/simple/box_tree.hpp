// SPDX-License-Identifier: BSD-3-Clause
// Placements that cut the grid into two boxes again and again: what Hyperplane and the k-d tree share.
// Boxes of equal extents are cut alike, so the plan keeps one entry a shape: O(log p) of them as a rule.
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/rule.hpp"

#include <functional>
#include <map>
#include <vector>

namespace halocline::place {

/// Where to cut a box, or how to fill one that is not cut any more.
struct Cut {
  std::size_t dimension = 0;
  Count part = 0;                  ///< Extent of one part along `dimension`; 0: do not cut, fill.
  std::vector<std::size_t> order;  ///< If filled: the dimensions, slowest first.
};

/// The lower part of every cut owns the lower ranks. A look-up takes O(log p).
class BoxTree : public Placement::Rule {
 public:
  /// Cuts by `cut`, a function of a box's extents. With `far_parts_small`, the named part lies at the upper
  /// end when the middle of the box is at or past the middle of the grid; otherwise always at the lower end.
  BoxTree(const Grid& grid, const std::function<Cut(const Counts&)>& cut, bool far_parts_small);

  void locate(Rank rank, std::span<Count> cell) const override;
  [[nodiscard]] Rank owner(std::span<const Count> cell) const override;
  void owners(const Grid& grid, Count first, std::span<Rank> ranks) const override;

 private:
  struct BoxShape {
    Cut cut;
    Counts extents;
    Count cells = 0;
    std::size_t part = 0, rest = 0;  ///< Shapes of the two parts.
    Counts spacing;                  ///< If filled: from one cell to the next along each dimension, in ranks.
    std::vector<Rank> ranks;         ///< Of each cell, row by row; kept for small boxes that are cut alike
                                     ///< wherever they lie.
  };
  static constexpr Count largest_kept = 32;

  struct Range;
  /// Writes the ranks of those cells of a box that lie in the range: the first cell is number `index` of the
  /// grid and has `rank`.
  void fill(const Range& range, const BoxShape& box, Counts& origin, Count index, Rank rank) const;
  /// The same without a further cut, from dimension `d` on; layers `first` to `last` of it. `inside`: the
  /// number of the first cell in the box.
  static void fill_rows(const Range& range, const BoxShape& box, std::size_t d, Count first, Count last,
                        Count index, Rank rank, Count inside);

  std::size_t shape_of(const Counts& extents, const std::function<Cut(const Counts&)>& cut,
                       std::map<Counts, std::size_t>& known);
  /// Of a box whose parts are known and lie in one order everywhere.
  [[nodiscard]] std::vector<Rank> ranks_inside(const BoxShape& shape) const;
  /// The shape at the lower end of a box of `shape` that starts at `origin` along the dimension of the cut.
  [[nodiscard]] std::size_t lower(const BoxShape& shape, Count origin) const;

  Counts grid_extents_;
  bool far_parts_small_;
  std::vector<BoxShape> shapes_;
  std::size_t root_;
};

}  // namespace halocline::place
