// SPDX-License-Identifier: BSD-3-Clause
// A walk through a grid in strips: slabs across the first dimension of an order, strips across the next ones
// in each slab, rows along the last; everything as a snake, so that consecutive strips touch where they turn.
#pragma once

#include "halocline/place/placement.hpp"
#include "place/optimal_strips/node_line.hpp"
#include "place/optimal_strips/slanted_rows.hpp"
#include "place/problem/rule.hpp"
#include "place/simple/fill_by_rows.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace halocline::place {

/// Which way the cells of a row are filled at a level that is cut.
enum class Fill {
  as_walked,     ///< Towards the next strip, so that strips touch with as many cells as possible.
  with_rows,     ///< In the direction of the rows, or against it, in terms of the grid's own coordinates: the
  against_rows,  ///< stairs that a node's end makes in a strip then all climb the same way.
};

/// How the rows of a strip run, for each level but the last.
struct Rows {
  std::vector<Fill> fill;
  Counts slope;  ///< Quarters of a row that rows climb from one cell to the next, see slanted_rows.hpp. Only
                 ///< with a fill that follows the rows.

  auto operator<=>(const Rows&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 is confused
};

/// Where the cuts are. parts[0] cuts the whole grid across order[0]; each of its intervals is cut across
/// order[1] by one of its own, and so on; order.back() is not cut. A grid of one dimension has no parts.
struct StripPlan {
  struct Interval {
    Count start, width;
    std::size_t part = 0;     ///< How it is cut across the next dimension; unused in the last that is cut.
    std::uint64_t turns = 0;  ///< Bit j: does level j walk the other way here than at the start of this part?
  };
  using Intervals = std::vector<Interval>;

  std::vector<std::size_t> order;
  Rows rows;
  std::vector<Intervals> parts;
};

/// Fills in the turns of every interval: level j changes direction with each interval of level j - 1.
void set_turns(StripPlan& plan);

/// Of the intervals of each level that is cut.
[[nodiscard]] Counts largest_widths(const StripPlan& plan);

/// Nodes along such a walk. A look-up takes O(d log strips).
class StripWalk : public Placement::Rule {
 public:
  StripWalk(const Grid& grid, StripPlan plan, NodeLine nodes);

  void locate(Rank rank, std::span<Count> cell) const override;
  [[nodiscard]] Rank owner(std::span<const Count> cell) const override;
  void owners(const Grid& grid, Count first, std::span<Rank> ranks) const override;

 private:
  /// With positions along the walk instead of ranks.
  [[nodiscard]] EvenRow row_from(std::span<const Count> cell) const;
  void cell_at(Count position, std::span<Count> cell) const;
  /// Prepares the slanted rows of all strips inside a part, once for each cross-section; the last intervals
  /// then name theirs as their part.
  void slant(std::size_t part, Counts& widths, std::map<Counts, std::size_t>& known);

  Counts extents_;  ///< In the order of the plan.
  Counts beyond_;   ///< Of each level: the product of the extents of later levels.
  StripPlan plan_;
  NodeLine nodes_;
  std::vector<SlantedRows> slanted_;  ///< By cross-section; none if rows are level.
  Count largest_shift_ = 0;           ///< No column of a strip lies further above another.
  std::size_t level_of_last_;         ///< The level that walks the grid's last dimension.
};

}  // namespace halocline::place
