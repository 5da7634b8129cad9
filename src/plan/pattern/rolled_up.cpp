// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/rolled_up.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>

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

std::size_t cell_number(std::span<const std::int32_t> cell, const Counts& extents) {
  Count number = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) number = number * extents[d] + cell[d];
  return to_size(number);
}

/// The vertex in each cell, or nobody. Of two in a cell both lose it: nobody knows which is right.
constexpr std::uint32_t nobody = ~std::uint32_t{0};
std::vector<std::uint32_t> owners_of(Reading& reading, std::size_t cells) {
  std::vector<std::uint32_t> owners(cells, nobody), rivals;
  for (std::uint32_t v = 0; v < cells; ++v) {
    const std::span cell(reading.cell(v), reading.dimensions());
    if (cell.front() == open_cell) continue;
    std::uint32_t& owner = owners[cell_number(cell, reading.extents)];
    if (owner != nobody) rivals.insert(rivals.end(), {owner, v});
    owner = v;
  }
  for (const std::uint32_t v : rivals) {
    std::int32_t* const cell = &reading.cells[v * reading.dimensions()];
    if (*cell == open_cell) continue;
    owners[cell_number({cell, reading.dimensions()}, reading.extents)] = nobody;
    *cell = open_cell;
  }
  return owners;
}

std::size_t open_cells(const Reading& reading, std::size_t vertices) {
  std::size_t open = 0;
  for (std::size_t v = 0; v < vertices; ++v) open += *reading.cell(v) == open_cell ? 1U : 0U;
  return open;
}

/// A few are searched for later.
bool are_few(std::size_t open, std::size_t vertices) {
  return open <= most_open_cells && 4 * open <= vertices;
}

/// The steps from one cell to another.
Count distance(const Reading& reading, const std::int32_t* a, const Count* b) {
  Count steps = 0;
  for (std::size_t d = 0; d < reading.dimensions(); ++d) {
    const Count step = std::abs(a[d] - b[d]);
    steps += std::min(step, reading.extents[d] - step);
  }
  return steps;
}

/// The bytes between a vertex and those in the cells one step from a cell.
Count bytes_near(const PairGraph& all, const Reading& reading, std::uint32_t v, const Cell& cell) {
  Count near = 0;
  for (std::size_t i = all.starts[v]; i < all.starts[v + 1]; ++i) {
    const std::int32_t* const other = reading.cell(all.neighbours[i]);
    if (*other == open_cell) continue;
    if (distance(reading, other, cell.data()) == 1) near += all.bytes[i];
  }
  return near;
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

void take_out_misfits(const PairGraph& steps, Reading& reading) {
  std::vector<std::uint32_t> misfits;
  Counts own(reading.dimensions());
  for (std::uint32_t v = 0; v < steps.vertices(); ++v) {
    std::copy_n(reading.cell(v), own.size(), own.begin());
    std::size_t right = 0;
    for (const std::uint32_t neighbour : steps.of(v))
      right += distance(reading, reading.cell(neighbour), own.data()) == 1 ? 1U : 0U;
    if (steps.degree(v) == 0 || 2 * right < steps.degree(v)) misfits.push_back(v);
  }
  if (!are_few(misfits.size(), steps.vertices())) return;
  for (const std::uint32_t v : misfits) reading.cells[v * reading.dimensions()] = open_cell;
}

void fill_up(const PairGraph& all, Reading& reading) {
  const std::vector<std::uint32_t> owners = owners_of(reading, all.vertices());
  const Grid grid(reading.extents);
  std::vector<Cell> cells;
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t i = 0; i < owners.size(); ++i) {
    if (owners[i] == nobody) cells.push_back(grid.cell(to_count(i)));
    if (*reading.cell(i) == open_cell) vertices.push_back(i);
  }
  // Who is most at home somewhere goes first: others see more of their neighbours then.
  while (!vertices.empty()) {
    std::size_t best_vertex = 0, best_cell = 0;
    Count most = -1;
    for (std::size_t v = 0; v < vertices.size(); ++v)
      for (std::size_t c = 0; c < cells.size(); ++c)
        if (const Count near = bytes_near(all, reading, vertices[v], cells[c]); near > most) {
          most = near;
          best_vertex = v;
          best_cell = c;
        }
    for (std::size_t d = 0; d < grid.dimensions(); ++d)
      reading.cells[vertices[best_vertex] * grid.dimensions() + d] =
          static_cast<std::int32_t>(cells[best_cell][d]);
    vertices.erase(vertices.begin() + static_cast<std::ptrdiff_t>(best_vertex));
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(best_cell));
  }
}

}  // namespace halocline::plan
