// A strip of given cross-section, and what nodes keep that lie along it. Remembers whatever comes up again.
#pragma once

#include "place/kept.hpp"
#include "place/node_line.hpp"

namespace halocline::place {

class Strip {
 public:
  /// For nodes of the given sizes, see NodeLine::sizes.
  Strip(Section section, Count length, const Counts& sizes);

  [[nodiscard]] const Section& section() const { return section_; }
  [[nodiscard]] Count cells() const { return section_.cells() * length_; }

  /// What the nodes of a line keep inside the strip, if it starts at `begin`. @pre `stretch` is the one there
  Count kept(const NodeLine::Stretch& stretch, Count begin);

 private:
  Count sum_over_nodes(const NodeLine::Stretch* stretch, Count begin);
  /// What one whole node keeps that starts at `column`.
  Count kept_by_one(std::size_t kind, Count column);
  /// What `count` nodes of one size in a row keep, the first of them starting at `column`; moves it on.
  Count kept_by_whole(std::size_t kind, Count count, Count& column);
  [[nodiscard]] Count moved(Count column, Count cells) const {
    column += cells;
    return column < section_.cells() ? column : column - section_.cells();
  }

  Section section_;
  Count length_;
  struct Kind {
    Count size;
    Count shift;  ///< How many columns further the next node starts.
  };
  std::vector<Kind> kinds_;
  Counts kept_at_;   ///< By the place of the start in a node, if nodes are even.
  Counts whole_at_;  ///< By a whole node: for its kind and the column it starts in. None if there are many.
};

}  // namespace halocline::place
