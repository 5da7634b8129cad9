// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/rolled_up.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "plan/pattern/settling.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

namespace halocline::plan {
namespace {

struct Side {
  Count first = std::numeric_limits<Count>::max();
  Count last = std::numeric_limits<Count>::min();
  [[nodiscard]] Count length() const { return last - first + 1; }
};

/// From the first to the last layer of cells that is about full: a vertex may have gone astray beyond a
/// border.
Side side_of(const std::map<Count, Count>& layers) {
  Count fullest = 0;
  for (const auto& [x, cells] : layers) fullest = std::max(fullest, cells);
  Side side;
  for (const auto& [x, cells] : layers)
    if (2 * cells >= fullest) side = {std::min(side.first, x), std::max(side.last, x)};
  return side;
}

std::vector<Side> sides_of(const Front& front, std::size_t vertices) {
  const EndlessCells& cells = front.cells();
  std::vector<Side> sides;
  for (std::size_t d = 0; d < cells.dimensions(); ++d) {
    std::map<Count, Count> layers;
    for (std::uint32_t v = 0; v < vertices; ++v)
      if (front.is_placed(v)) ++layers[cells.coordinate(front.cell_of(v), d)];
    sides.push_back(side_of(layers));
  }
  return sides;
}

/// How often edges go straight along each dimension, by their length if that is more than a step.
std::vector<std::map<Count, Count>> long_edges(const PairGraph& steps, const Front& front) {
  const EndlessCells& cells = front.cells();
  std::vector<std::map<Count, Count>> lengths(cells.dimensions());
  for (std::uint32_t u = 0; u < steps.vertices(); ++u)
    for (const std::uint32_t v : steps.of(u)) {
      if (v < u || !front.is_placed(u) || !front.is_placed(v)) continue;
      std::size_t moved = 0, along = 0;
      Count length = 0;
      for (std::size_t d = 0; d < lengths.size(); ++d) {
        const Count step = cells.coordinate(front.cell_of(v), d) - cells.coordinate(front.cell_of(u), d);
        if (step == 0) continue;
        ++moved;
        along = d;
        length = std::abs(step);
      }
      if (moved == 1 && length > 1) ++lengths[along][length];
    }
  return lengths;
}

/// The length of a ring, if enough edges say the same; 0 without one. A ring of every row has such an edge,
/// unless the patch is ragged there.
Count ring_of(const std::map<Count, Count>& lengths, Count cells) {
  Count ring = 0, most = 0;
  for (const auto& [length, edges] : lengths)
    if (edges > most) {
      most = edges;
      ring = length + 1;
    }
  return ring > 0 && 4 * most * ring >= cells ? ring : 0;
}

}  // namespace

std::optional<Reading> rolled_up(const PairGraph& steps, const Front& front) {
  const std::vector<Side> sides = sides_of(front, steps.vertices());
  const auto lengths = long_edges(steps, front);
  const Count all = to_count(steps.vertices());
  Reading reading;
  std::vector<bool> is_ring;
  Count cells = 1;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    const Count ring = ring_of(lengths[d], all);
    is_ring.push_back(ring > 0);
    reading.extents.push_back(ring > 0 ? ring : sides[d].length());
    if (reading.extents.back() > all / cells) return std::nullopt;
    cells *= reading.extents.back();
  }
  if (cells != all) return std::nullopt;
  reading.cells.assign(steps.vertices() * sides.size(), open_cell);
  for (std::uint32_t v = 0; v < steps.vertices(); ++v) {
    if (!front.is_placed(v)) continue;
    bool inside = true;
    std::int32_t* const cell = &reading.cells[v * sides.size()];
    for (std::size_t d = 0; d < sides.size(); ++d) {
      const Count x = front.cells().coordinate(front.cell_of(v), d) - sides[d].first;
      cell[d] = static_cast<std::int32_t>(floor_modulo(x, reading.extents[d]));
      inside = inside && (is_ring[d] || cell[d] == x);
    }
    if (!inside) *cell = open_cell;
  }
  (void)owners_of(reading, steps.vertices());
  if (!are_few(open_cells(reading, steps.vertices()), steps.vertices())) return std::nullopt;
  return reading;
}

}  // namespace halocline::plan
