// SPDX-License-Identifier: BSD-3-Clause
#include "halo/sides/side_map.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halo/points/regions.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline::halo {
namespace {

using Kind = Side::Kind;

bool turns_about_points(Kind kind) { return kind == Kind::mirror_point || kind == Kind::fold_t; }
bool folds(Kind kind) { return kind == Kind::fold_t || kind == Kind::fold_f; }

/// Of one side of `extent` own points, for halos on it.
Range ghosts(Count step, Count extent, Count low, Count high) {
  return step == 0 ? Range{0, extent} : step < 0 ? Range{-low, low} : Range{extent, high};
}

/// Calls `visit` with one of each list, the last changing fastest.
template <class List, class Visit>
void for_each_choice(const std::vector<List>& lists, const Visit& visit) {
  for (const List& list : lists)
    if (list.empty()) return;
  std::vector<std::size_t> at(lists.size(), 0);
  for (;;) {
    visit(at);
    std::size_t d = at.size();
    while (d-- > 0) {
      if (++at[d] < lists[d].size()) break;
      at[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace

SideMap::SideMap(Sides sides, Decomposition decomposition, const Stencil& directions)
    : sides_(std::move(sides)), decomposition_(std::move(decomposition)), directions_(directions.offsets()) {
  sides_.require_fit(decomposition_.mesh());
  for (const Counts& slabs : decomposition_.slabs()) {
    Counts& starts = starts_.emplace_back(1, 0);
    for (const Count slab : slabs) starts.push_back(starts.back() + slab);
  }
}

const Side* SideMap::side_at(std::size_t dimension, Count side) const {
  return sides_.find(dimension, side < 0 ? Side::Which::low : Side::Which::high);
}

bool SideMap::is_open(std::size_t dimension, Count coordinate, Count side) const {
  const Grid& grid = decomposition_.grid();
  return side != 0 && !grid.periodic(dimension) &&
         coordinate == (side < 0 ? Count{0} : grid.extents()[dimension] - 1);
}

std::optional<Crossed> SideMap::crossed_by(const Cell& cell, const Offset& direction) const {
  Crossed crossed;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    if (!is_open(d, cell[d], direction[d])) continue;
    const Side* const side = side_at(d, direction[d]);
    if (side == nullptr) return std::nullopt;
    crossed.push_back(side);
  }
  if (crossed.empty()) return std::nullopt;
  return crossed;
}

SideMap::Line SideMap::line(std::size_t dimension, std::size_t field, const Offset& direction,
                            const Crossed& crossed) const {
  const Count extent = decomposition_.mesh().extents()[dimension];
  const Count half = sides_.half_further(field, dimension) ? 1 : 0;
  Line line;
  for (const Side* const side : crossed) {
    const bool low = direction[side->dimension] < 0;
    const bool about_points = turns_about_points(side->kind);
    if (side->dimension == dimension) {
      if (side->kind == Kind::shear)
        line = {1, low ? extent : -extent};
      else
        line = {-1, (low ? about_points ? 0 : -1 : 2 * extent - (about_points ? 2 : 1)) - half};
    } else if (side->along == dimension && side->kind == Kind::shear) {
      line.shift += low ? -side->shift : side->shift;
    } else if (side->along == dimension && folds(side->kind)) {
      line = {-1, (about_points ? 0 : -1) - half};
    }
  }
  return line;
}

Count SideMap::slab_of(std::size_t dimension, Count point) const {
  const Counts& starts = starts_[dimension];
  return to_count(std::upper_bound(starts.begin(), starts.end(), point) - starts.begin()) - 1;
}

SideMap::Segments SideMap::segments(std::size_t dimension, Count coordinate, Count step, const Line& line,
                                    const HaloWidths& halo) const {
  const Mesh& mesh = decomposition_.mesh();
  const Count extent = mesh.extents()[dimension];
  const Counts& starts = starts_[dimension];
  const Count first = starts[to_size(coordinate)], own = starts[to_size(coordinate) + 1] - first;
  const Range range = ghosts(step, own, halo.low[dimension], halo.high[dimension]);
  Segments segments;
  for (Count done = 0; done < range.count;) {
    Count shown = line.turn * (first + range.first + done) + line.shift;
    if (mesh.periodic(dimension)) shown = floor_modulo(shown, extent);
    if (shown < 0 || shown >= extent) {  // on the border itself, where a point would show itself
      ++done;
      continue;
    }
    const Count slab = slab_of(dimension, shown);
    const Count start = starts[to_size(slab)], end = starts[to_size(slab) + 1];
    const Count count = std::min(range.count - done, line.turn > 0 ? end - shown : shown - start + 1);
    segments.push_back({range.first + done, count, slab, shown - start, line.turn < 0});
    done += count;
  }
  return segments;
}

void SideMap::require_narrow(std::size_t number, const HaloWidths& halo) const {
  const Mesh& mesh = decomposition_.mesh();
  for (const Side& side : sides_.list()) {
    const std::size_t d = side.dimension;
    const Count extent = mesh.extents()[d];
    for (const Count end : {-1, 1}) {
      if (side_at(d, end) != &side) continue;
      const Count width = end < 0 ? halo.low[d] : halo.high[d];
      Count most = extent;
      if (side.kind != Kind::shear) {
        Offset direction(mesh.dimensions(), 0);
        direction[d] = end;
        const Count turn = line(d, number, direction, {&side}).shift;
        most = end < 0 ? extent - 1 - turn : turn - extent + 1;
      }
      if (width > std::max(most, Count{0}))
        fail(Fault::invalid_dimensions, "field ", number, " has a halo of ", width, " points beyond the ",
             end < 0 ? "lower" : "upper", " side of dimension ", d, " of the mesh ", mesh.to_text(),
             ", which is described as ", sides_.to_text(), "; what it shows are ", std::max(most, Count{0}),
             " points");
    }
  }
}

std::vector<SidePiece> SideMap::pieces(const Cell& cell, std::size_t field, const HaloWidths& halo) const {
  const std::size_t dimensions = cell.size();
  std::vector<SidePiece> pieces;
  for (const Offset& direction : directions_) {
    const std::optional<Crossed> crossed = crossed_by(cell, direction);
    if (!crossed) continue;
    std::vector<Segments> along;
    for (std::size_t d = 0; d < dimensions; ++d)
      along.push_back(segments(d, cell[d], direction[d], line(d, field, direction, *crossed), halo));
    for_each_choice(along, [&](const std::vector<std::size_t>& at) {
      SidePiece piece;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const Segment& segment = along[d][at[d]];
        piece.to.first.push_back(segment.to);
        piece.to.count.push_back(segment.count);
        piece.source.push_back(segment.slab);
        piece.from.push_back(segment.from);
        piece.reversed.push_back(segment.reversed);
      }
      piece.crossed = *crossed;
      pieces.push_back(std::move(piece));
    });
  }
  return pieces;
}

void SideMap::add_candidates(const Cell& cell, std::size_t field, const HaloWidths& halo,
                             const Offset& direction, const Crossed& crossed,
                             std::vector<Cell>& cells) const {
  const Grid& grid = decomposition_.grid();
  std::vector<Counts> coordinates(cell.size());
  for (std::size_t d = 0; d < cell.size(); ++d) {
    const bool crosses =
        std::any_of(crossed.begin(), crossed.end(), [&](const Side* side) { return side->dimension == d; });
    const Line its_line = line(d, field, direction, crossed);
    const Count border = direction[d] < 0 ? 0 : grid.extents()[d] - 1;
    for (Count i = crosses ? border : 0; i < (crosses ? border + 1 : grid.extents()[d]); ++i) {
      if (!crosses && is_open(d, i, direction[d])) continue;
      const Segments shown = segments(d, i, direction[d], its_line, halo);
      if (std::any_of(shown.begin(), shown.end(), [&](const Segment& s) { return s.slab == cell[d]; }))
        coordinates[d].push_back(i);
    }
  }
  for_each_choice(coordinates, [&](const std::vector<std::size_t>& at) {
    Cell& candidate = cells.emplace_back();
    for (std::size_t d = 0; d < at.size(); ++d) candidate.push_back(coordinates[d][at[d]]);
  });
}

std::vector<Cell> SideMap::may_get_from(const Cell& cell, std::size_t field, const HaloWidths& halo) const {
  std::vector<Cell> cells;
  for (const Offset& direction : directions_) {
    std::vector<Crossed> all{{}};  // what processes may cross in this direction
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Side* const side = direction[d] == 0 ? nullptr : side_at(d, direction[d]);
      for (std::size_t i = 0, before = all.size(); i < before && side != nullptr; ++i) {
        all.push_back(all[i]);
        all.back().push_back(side);
      }
    }
    for (const Crossed& crossed : all)
      if (!crossed.empty()) add_candidates(cell, field, halo, direction, crossed, cells);
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

std::optional<SideMap::Source> SideMap::source(const Cell& cell, std::size_t field, const Offset& direction,
                                               const Cell& point) const {
  if (std::find(directions_.begin(), directions_.end(), direction) == directions_.end()) return std::nullopt;
  std::optional<Crossed> crossed = crossed_by(cell, direction);
  if (!crossed) return std::nullopt;
  const Mesh& mesh = decomposition_.mesh();
  Source source;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    const Line its_line = line(d, field, direction, *crossed);
    const Count extent = mesh.extents()[d];
    Count shown = its_line.turn * (starts_[d][to_size(cell[d])] + point[d]) + its_line.shift;
    if (mesh.periodic(d)) shown = floor_modulo(shown, extent);
    if (shown < 0 || shown >= extent) return std::nullopt;
    source.point.push_back(shown);
  }
  source.crossed = std::move(*crossed);
  return source;
}

}  // namespace halocline::halo
