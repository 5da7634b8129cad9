// SPDX-License-Identifier: BSD-3-Clause
// A strip of given cross-section, and what nodes keep that lie along it. Remembers whatever comes up again.
#pragma once

#include "base/index.hpp"
#include "place/optimal_strips/kept_weight.hpp"
#include "place/optimal_strips/node_line.hpp"

#include <utility>

namespace halocline::place {

/// In tables of what is kept: not worked out yet.
inline constexpr Count unknown = -1;
/// Tables over the places in nodes, and over kinds and columns, are kept up to so many entries.
inline constexpr Count largest_table = 2048;

class Strip {
 public:
  /// For nodes of the given sizes, see NodeLine::sizes.
  Strip(Section section, Count length, const Counts& sizes);
  /// Section::set_rows
  void set_rows(const Links& links, std::span<const Count> slope, std::span<const Count> rings);

  [[nodiscard]] const Section& section() const { return section_; }
  [[nodiscard]] Count cells() const { return section_.cells() * length_; }
  /// Steps that were taken since this was asked last.
  [[nodiscard]] Count take_steps() { return std::exchange(steps_, 0); }

  /// What the nodes of a line keep inside the strip, if it starts at `begin`, behind `past` cells of a node.
  /// @pre `stretch` is the one there
  Count kept(const NodeLine::Stretch& stretch, Count begin, Count past) {
    if (kept_at_.empty() || begin + cells() > stretch.end()) return sum_over_nodes(&stretch, begin);
    Count& known = kept_at_[to_index(kinds_[stretch.kind].first_place + past)];
    if (known == unknown) known = sum_over_nodes(&stretch, begin);
    return known;
  }

 private:
  void forget();
  Count sum_over_nodes(const NodeLine::Stretch* stretch, Count begin);
  [[nodiscard]] Count kept_in_section(Count column, Count length) const;
  /// What one whole node keeps that starts at `column`.
  Count kept_by_one(std::size_t kind, Count column);
  /// What a piece of a node keeps that starts or ends with the strip, `length` cells in all.
  Count kept_by_piece(Counts& known, Count column, Count length) const;
  /// What `count` nodes of one size in a row keep, the first of them starting at `column`; moves it on.
  Count kept_by_whole(std::size_t kind, Count count, Count& column);
  [[nodiscard]] Count moved(Count column, Count cells) const {
    column += cells;
    return column < section_.cells() ? column : column - section_.cells();
  }

  Section section_;
  Count length_;
  mutable Count steps_ = 0;
  struct Kind {
    Count size;
    Count shift;        ///< How many columns further the next node starts.
    Count first_place;  ///< How many places there are in nodes of smaller kinds.
  };
  std::vector<Kind> kinds_;
  /// What is known already; empty if there are too many to remember:
  Counts
      kept_at_;  ///< by all nodes, if those are equal: for the kind of node and the place in it at the start,
  Counts whole_at_;                  ///< by a whole node: for its kind and the column it starts in,
  Counts first_piece_, last_piece_;  ///< by the piece at the strip's start, or end: for its length.
};

}  // namespace halocline::place
