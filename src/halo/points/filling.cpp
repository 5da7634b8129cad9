// SPDX-License-Identifier: BSD-3-Clause
#include "halo/points/filling.hpp"

#include "base/integers.hpp"
#include "halo/fields/staggering.hpp"

#include <algorithm>
#include <map>

namespace halocline::halo {
namespace {

bool leads_nowhere(const Offset& offset) {
  return std::all_of(offset.begin(), offset.end(), [](Count step) { return step == 0; });
}

Offset opposite(const Offset& offset) {
  Offset back;
  for (const Count step : offset) back.push_back(-step);
  return back;
}

/// The points on one side of `extent` own ones.
Range on_side(Count side, Count extent, Count low, Count high) {
  return side == 0 ? Range{0, extent} : side < 0 ? Range{-low, low} : Range{extent, high};
}

/// What goes along an offset for each point along the dimensions that nothing here has: ghost points on one
/// side of the own ones, and the last points of fields that are staggered along dimensions that `extra` has.
Count bytes_along(const std::vector<FieldView>& fields, const Offset& offset, const Offset& side,
                  const Offset& extra) {
  Count bytes = 0;
  for (const FieldView& field : fields) {
    Count points = field.element().size();
    for (std::size_t d = 0; d < offset.size(); ++d) {
      const Count low = field.halo().low[d], high = field.halo().high[d], more = extra_points(field, d);
      if (offset[d] > 0 || side[d] < 0) points = checked_multiply(points, low);
      if (offset[d] < 0) points = checked_multiply(points, checked_add(high, more));
      if (side[d] > 0) points = checked_multiply(points, high);
      if (extra[d] > 0) points = checked_multiply(points, more);
    }
    bytes = checked_add(bytes, points);
  }
  return bytes;
}

/// Makes one part of two if they lie side by side along a dimension, the first of them before the other.
bool joins(FieldView::Part& part, const FieldView::Part& next, std::size_t dimension) {
  for (std::size_t d = 0; d < part.first.size(); ++d) {
    const bool fits = d == dimension ? part.first[d] + part.count[d] == next.first[d]
                                     : part.first[d] == next.first[d] && part.count[d] == next.count[d];
    if (!fits) return false;
  }
  part.count[dimension] += next.count[dimension];
  return true;
}

/// The fewest parts that this finds, by one dimension after the other.
Filling::Parts joined(Filling::Parts parts, std::size_t dimensions) {
  for (std::size_t d = 0; d < dimensions && parts.size() > 1; ++d) {
    std::stable_sort(parts.begin(), parts.end(), [&](const FieldView::Part& a, const FieldView::Part& b) {
      return a.first[d] < b.first[d];
    });
    Filling::Parts longer;
    for (FieldView::Part& part : parts)
      if (std::none_of(longer.begin(), longer.end(),
                       [&](FieldView::Part& before) { return joins(before, part, d); }))
        longer.push_back(std::move(part));
    parts = std::move(longer);
  }
  return parts;
}

}  // namespace

Filling::Filling(Grid grid, const Stencil& directions, Borders borders)
    : grid_(std::move(grid)), given_(directions.offsets()), carries_(borders == Borders::carry) {
  (void)offsets_filling(directions);
  directions_.insert(given_.begin(), given_.end());
}

bool Filling::is_open(const Cell& cell, std::size_t dimension, Count side) const {
  return !grid_.periodic(dimension) &&
         cell[dimension] == (side < 0 ? Count{0} : grid_.extents()[dimension] - 1);
}

std::optional<Offset> Filling::source(const Cell& cell, const Offset& direction) const {
  if (!fills(direction)) return std::nullopt;
  Offset to = direction;
  for (std::size_t d = 0; d < to.size(); ++d)
    if (to[d] != 0 && is_open(cell, d, to[d])) {
      if (!carries_) return std::nullopt;
      to[d] = 0;
    }
  if (leads_nowhere(to)) return std::nullopt;
  return to;
}

Stencil Filling::offsets_for(const std::vector<Offset>& directions) const {
  std::vector<Offset> offsets;
  std::set<Offset> known;
  const auto add = [&](Offset offset) {
    if (!leads_nowhere(offset) && known.insert(offset).second) offsets.push_back(std::move(offset));
  };
  for (const Offset& direction : directions) add(opposite(direction));
  // Behind them what is left of each where it leads across borders.
  for (std::size_t d = 0; carries_ && d < grid_.dimensions(); ++d)
    for (std::size_t i = 0, before = offsets.size(); i < before && !grid_.periodic(d); ++i) {
      Offset shorter = offsets[i];
      shorter[d] = 0;
      add(std::move(shorter));
    }
  return Stencil(std::move(offsets));
}

Stencil Filling::offsets() const { return offsets_for(given_); }

Stencil Filling::offsets(const std::vector<FieldView>& fields) const {
  std::vector<Offset> some;
  for (const Offset& direction : given_)
    if (bytes_across(fields, direction) > 0) some.push_back(direction);
  return some.empty() ? offsets() : offsets_for(some);
}

std::vector<Offset> Filling::sides(const Offset& offset, const Open& open) const {
  std::vector<Offset> sides{Offset(offset.size(), 0)};
  for (std::size_t d = 0; carries_ && d < offset.size(); ++d)
    for (std::size_t i = 0, before = sides.size(); i < before && offset[d] == 0; ++i)
      for (const Count side : {-1, 1})
        if (open(d, side)) {
          sides.push_back(sides[i]);
          sides.back()[d] = side;
        }
  std::erase_if(sides, [&](const Offset& beyond) {
    Offset direction = beyond;
    for (std::size_t d = 0; d < offset.size(); ++d) direction[d] -= offset[d];
    return !fills(direction);
  });
  return sides;
}

template <class RangeOf>
Filling::Parts Filling::parts(const Cell& cell, const Counts& cells, const FieldView& field,
                              const Offset& offset, const RangeOf& range_of) const {
  const HaloWidths& halo = field.halo();
  Parts parts;
  for (const Offset& beyond :
       sides(offset, [&](std::size_t d, Count side) { return is_open(cell, d, side); })) {
    FieldView::Part part;
    for (std::size_t d = 0; d < cells.size(); ++d) {
      // The last point is the process's own beside an open border, and elsewhere the first of those that
      // come from the next one.
      const Count extra = extra_points(field, d), own = cells[d] + (is_open(cell, d, 1) ? extra : 0);
      const Range range = offset[d] == 0 ? on_side(beyond[d], own, halo.low[d], halo.high[d])
                                         : range_of(offset[d], cells[d], halo.low[d], halo.high[d] + extra);
      part.first.push_back(range.first);
      part.count.push_back(range.count);
    }
    if (std::find(part.count.begin(), part.count.end(), 0) == part.count.end())
      parts.push_back(std::move(part));
  }
  return joined(std::move(parts), cells.size());
}

Filling::Parts Filling::sent(const Cell& cell, const Counts& cells, const FieldView& field,
                             const Offset& offset) const {
  return parts(cell, cells, field, offset, halo::sent);
}

Filling::Parts Filling::received(const Cell& cell, const Counts& cells, const FieldView& field,
                                 const Offset& offset) const {
  return parts(cell, cells, field, offset, halo::received);
}

Filling::Parts Filling::sent(const Cell& cell, const FieldView& field, const Offset& offset) const {
  return sent(cell, cells_of(field), field, offset);
}

Filling::Parts Filling::received(const Cell& cell, const FieldView& field, const Offset& offset) const {
  return received(cell, cells_of(field), field, offset);
}

std::vector<plan::BorderPoints> Filling::border_points(const std::vector<FieldView>& fields,
                                                       const Stencil& offsets) const {
  std::vector<plan::BorderPoints> points;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Offset& offset = offsets.offsets()[i];
    std::map<Offset, Count> beside;
    for (const Offset& side : sides(offset, [&](std::size_t d, Count) { return !grid_.periodic(d); }))
      for (const Offset& extra : with_extra_points(fields, offset, side)) {
        Offset beyond = side;
        for (std::size_t d = 0; d < offset.size(); ++d) beyond[d] += extra[d];
        if (leads_nowhere(beyond)) continue;
        Count& bytes = beside[beyond];
        bytes = checked_add(bytes, bytes_along(fields, offset, side, extra));
      }
    for (const auto& [beyond, bytes] : beside)
      if (bytes > 0) points.push_back({i, beyond, bytes});
  }
  return points;
}

std::vector<Offset> Filling::with_extra_points(const std::vector<FieldView>& fields, const Offset& offset,
                                               const Offset& side) const {
  std::vector<Offset> extras{Offset(offset.size(), 0)};
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const bool some = offset[d] == 0 && side[d] == 0 && !grid_.periodic(d) &&
                      std::any_of(fields.begin(), fields.end(),
                                  [&](const FieldView& field) { return extra_points(field, d) > 0; });
    for (std::size_t i = 0, before = extras.size(); i < before && some; ++i) {
      extras.push_back(extras[i]);
      extras.back()[d] = 1;
    }
  }
  return extras;
}

Count bytes_across(const std::vector<FieldView>& fields, const Offset& direction) {
  const Offset nowhere(direction.size(), 0);
  return bytes_along(fields, opposite(direction), nowhere, nowhere);
}

}  // namespace halocline::halo
