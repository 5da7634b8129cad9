// SPDX-License-Identifier: BSD-3-Clause
// What optimal strips maximize: the weight of the messages that stay inside a node. A node is a piece of a
// strip, or several pieces that touch where the walk turns; both have closed forms, diagonals included.
#pragma once

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/count.hpp"
#include "place/cost/steps_on_grid.hpp"
#include "place/optimal_strips/strip_walk.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halocline::place {

/// A step between two cells, in the order of a strip plan's levels (rows last), with the weight of both
/// directions.
struct CellLink {
  Counts step;
  Count weight;

  bool operator==(const CellLink&) const = default;
};

/// The links of a stencil on a grid, as a strip sees them.
struct Links {
  std::vector<CellLink> list;
  Count scale = 1;    ///< A message of weight 1 has this weight, so that shares of it are whole.
  Count total = 0;    ///< The weight of all messages of the grid, scaled.
  bool exact = true;  ///< Does the stencil equal its mirror images, so that nothing had to be averaged?
};

/// Strips run both ways along each level, so a step stands for its mirror images with an equal share each;
/// except at levels whose rows are filled in a fixed sense relative to the direction of the strip (fill, see
/// StripPlan): there a step keeps its sense.
[[nodiscard]] Links strip_links(const Grid& grid, const Steps& steps, std::span<const std::size_t> order,
                                std::span<const Fill> fill);

/// The cross-section of a strip: its width at each level but the last, level 0 varying fastest in a row.
class Section {
 public:
  /// With rows of the given slope, one entry for each width; see Rows. A level whose width is also its entry
  /// in `rings` wraps around inside the section.
  Section(Counts widths, const Links& links, std::span<const Count> slope, std::span<const Count> rings);
  /// The same widths with other rows, in the memory that is there.
  void set_rows(const Links& links, std::span<const Count> slope, std::span<const Count> rings);

  [[nodiscard]] Count cells() const { return cells_; }
  [[nodiscard]] Count width(std::size_t level) const { return widths_[level]; }
  [[nodiscard]] Count stride(std::size_t level) const { return strides_[level]; }

  /// The column of a position in the strip.
  [[nodiscard]] Count column(Count position) const { return floor_modulo(position - total_shift_, cells_); }

  /// The weight kept by `length` consecutive cells that start at cell `column` of a row. O(links).
  [[nodiscard]] Count kept(Count column, Count length) const;
  /// About how many steps that takes.
  [[nodiscard]] Count steps() const { return count_of(reaches_) + 1; }

 private:
  /// Links of one weight whose ends are equally far apart along the strip, and in how many columns they
  /// start.
  struct Reach {
    Count distance, weight, starts;
    Count rows, rest;  ///< The distance in whole rows and what is left.
  };
  void add_even_reach(const CellLink& link);
  void count_box(const CellLink& link, Count sense, std::size_t levels, Count* before, Count& starts) const;
  void add_uneven_reaches(const CellLink& link, std::span<const Count> positions,
                          std::span<const Count> rings);
  template <class Visit>
  void for_each_start(const CellLink& link, std::span<const Count> rings, const Visit& visit,
                      std::size_t levels, Count column, Count target) const;

  Counts widths_, strides_;
  Count cells_ = 1, total_shift_ = 0;
  std::vector<Reach> reaches_;
  Counts starts_before_;  ///< For each reach and column: the columns before it in which a link starts.
};

/// The links that lead from one strip to another beside it at some level, turned around if need be so that
/// they all lead to the second; those of as many rows and one weight follow each other.
struct CrossingLinks {
  CrossingLinks(const Links& links, std::size_t its_level);

  std::size_t level;
  std::vector<CellLink> list;
  Count reach = 1;  ///< Between strips of this width and wider, turns differ in nothing but the widths.
};

/// A place where the walk turns from one strip into the next at some level: there the strips lie side by
/// side, at deeper levels the second starts where the first ended, at outer levels they have the same widths.
class StripTurn {
 public:
  StripTurn(const CrossingLinks& links, const Section& first, const Section& second);

  /// The weight kept between the last `before` cells of the first strip and the first `after` of the second.
  /// @pre the sections are those the turn was made for, or at its level both are wider
  [[nodiscard]] Count kept(const Section& first, Count before, const Section& second, Count after) const;
  /// Pairs of columns that links connect.
  [[nodiscard]] Count pairs() const { return count_of(first_); }

 private:
  /// Links of one weight that lead `step` rows away from the wall; their columns end before `end`.
  struct LinkGroup {
    Count step, weight;
    std::size_t end;
  };
  struct Sections {
    const Section &first, &second;
  };
  struct Ends;
  /// All pairs of columns, by the outermost of the given levels.
  void add(std::span<const Ends> ends, const Sections& sections, Count first, Count second);

  /// Pairs of columns that a link connects, numbered from the turn: backwards in the first strip, forwards in
  /// the second.
  std::vector<std::uint32_t> first_, second_;
  std::vector<LinkGroup> groups_;
};

}  // namespace halocline::place
