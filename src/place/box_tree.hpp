// Placements that cut the grid into two boxes again and again: what Hyperplane and the k-d tree share.
// Boxes of equal extents are cut alike, so the plan keeps one entry a shape: O(log p) of them as a rule.
#pragma once

#include "halocline/place/placement.hpp"

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
  struct Shape {
    Cut cut;
    Counts extents;
    Count cells = 0;
    std::size_t part = 0, rest = 0;  ///< Shapes of the two parts.
  };

  struct Range;
  /// Writes the ranks of those cells of a box that lie in the range; they start at `rank`.
  void fill(Range& range, const Shape& box, Counts& origin, Rank rank) const;
  static void fill_cells(const Range& range, const Shape& box, const Counts& origin, Rank rank);

  std::size_t shape_of(const Counts& extents, const std::function<Cut(const Counts&)>& cut,
                       std::map<Counts, std::size_t>& known);
  /// The shape at the lower end of a box of `shape` that starts at `origin` along the dimension of the cut.
  [[nodiscard]] std::size_t lower(const Shape& shape, Count origin) const;

  Counts grid_extents_;
  bool far_parts_small_;
  std::vector<Shape> shapes_;
  std::size_t root_;
};

}  // namespace halocline::place
