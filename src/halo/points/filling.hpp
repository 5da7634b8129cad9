// SPDX-License-Identifier: BSD-3-Clause
// Who fills a halo: which parts of a field go to which neighbour, ghost points beyond open borders included.
//
// Where a direction leads beyond open borders along some dimensions, the process next to one along the others
// has the same borders. With Borders::carry it sends what it has beyond them, together with its own points:
// the box of the message grows across the border. Nobody fills these points of the sender, since no process
// is beyond its borders alone; so they are what they were at the start.
#pragma once

#include "halo/points/regions.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/plan/plan.hpp"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace halocline::halo {

/// Halos of the processes of a grid, filled in some directions.
class Filling {
 public:
  /// Throws Error{invalid_argument} for a direction that is none, or given twice.
  Filling(Grid grid, const Stencil& directions, Borders borders);

  [[nodiscard]] bool fills(const Offset& direction) const { return directions_.contains(direction); }
  /// Where the process is that fills the halo of the one at `cell` in a direction: in that direction, or in
  /// what is left of it without the borders it leads across. None if nobody does.
  [[nodiscard]] std::optional<Offset> source(const Cell& cell, const Offset& direction) const;

  /// To where some process may have to send something. The same on all processes.
  [[nodiscard]] Stencil offsets() const;
  /// The same for these fields, which have the same widths on all processes: without offsets along which they
  /// have no halo, unless that leaves none.
  [[nodiscard]] Stencil offsets(const std::vector<FieldView>& fields) const;

  using Parts = std::vector<FieldView::Part>;
  /// Of a field, what the process at `cell`, which has it on so many cells, sends to the one at `offset`, and
  /// where what comes from the one at -offset goes: as many points, in as many parts, in the same order. None
  /// of them is empty.
  [[nodiscard]] Parts sent(const Cell& cell, const Counts& cells, const FieldView& field,
                           const Offset& offset) const;
  [[nodiscard]] Parts received(const Cell& cell, const Counts& cells, const FieldView& field,
                               const Offset& offset) const;
  /// The same on the process that has the field as it lies here.
  [[nodiscard]] Parts sent(const Cell& cell, const FieldView& field, const Offset& offset) const;
  [[nodiscard]] Parts received(const Cell& cell, const FieldView& field, const Offset& offset) const;

  /// The points of these fields that go along each offset where there are open borders beside those of the
  /// cells: ghost points that are carried, and the last points of staggered fields.
  [[nodiscard]] std::vector<plan::BorderPoints> border_points(const std::vector<FieldView>& fields,
                                                              const Stencil& offsets) const;

 private:
  [[nodiscard]] Stencil offsets_for(const std::vector<Offset>& directions) const;
  using Open = std::function<bool(std::size_t dimension, Count side)>;
  /// On which sides of its own points lies what a process with such borders sends along an offset: 0 along
  /// those dimensions that it has own points of, -1 or 1 where it is beyond a border.
  [[nodiscard]] std::vector<Offset> sides(const Offset& offset, const Open& open) const;
  /// Along which dimensions, in all ways, the last points of these fields go along an offset beside an open
  /// border, together with those on a side.
  [[nodiscard]] std::vector<Offset> with_extra_points(const std::vector<FieldView>& fields,
                                                      const Offset& offset, const Offset& side) const;
  [[nodiscard]] bool is_open(const Cell& cell, std::size_t dimension, Count side) const;
  template <class RangeOf>
  [[nodiscard]] Parts parts(const Cell& cell, const Counts& cells, const FieldView& field,
                            const Offset& offset, const RangeOf& range_of) const;

  Grid grid_;
  std::vector<Offset> given_;    ///< The directions in their order.
  std::set<Offset> directions_;  ///< The same.
  bool carries_;
};

/// What the halos of these fields in a direction take for each point along the dimensions that it does not
/// lead along, shared points included.
[[nodiscard]] Count bytes_across(const std::vector<FieldView>& fields, const Offset& direction);

}  // namespace halocline::halo
