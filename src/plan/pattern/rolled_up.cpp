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

std::vector<Side> sides_of(const Front& front, std::size_t vertices) {
  const EndlessCells& cells = front.cells();
  std::vector<Side> sides(cells.dimensions());
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!front.is_placed(v)) continue;
    for (std::size_t d = 0; d < sides.size(); ++d) {
      const Count x = cells.coordinate(front.cell_of(v), d);
      sides[d] = {std::min(sides[d].first, x), std::max(sides[d].last, x)};
    }
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

/// The vertex in each cell, or nobody; nothing if two are in one.
constexpr std::uint32_t nobody = ~std::uint32_t{0};
std::optional<std::vector<std::uint32_t>> owners_of(const Reading& reading, std::size_t cells) {
  std::vector<std::uint32_t> owners(cells, nobody);
  for (std::uint32_t v = 0; v < cells; ++v) {
    const std::span cell(reading.cell(v), reading.dimensions());
    if (cell.front() == open_cell) continue;
    std::uint32_t& owner = owners[cell_number(cell, reading.extents)];
    if (owner != nobody) return std::nullopt;
    owner = v;
  }
  return owners;
}

/// The bytes between a vertex and those in the cells one step from a cell.
Count bytes_near(const PairGraph& all, const Reading& reading, std::uint32_t v, const Cell& cell) {
  Count near = 0;
  for (std::size_t i = all.starts[v]; i < all.starts[v + 1]; ++i) {
    const std::int32_t* const other = reading.cell(all.neighbours[i]);
    if (*other == open_cell) continue;
    Count steps = 0;
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Count step = std::abs(other[d] - cell[d]);
      steps += std::min(step, reading.extents[d] - step);
    }
    if (steps == 1) near += all.bytes[i];
  }
  return near;
}

}  // namespace

std::optional<Reading> rolled_up(const PairGraph& steps, const Front& front) {
  const std::vector<Side> sides = sides_of(front, steps.vertices());
  const auto lengths = long_edges(steps, front);
  const Count all = to_count(steps.vertices());
  Reading reading;
  Count cells = 1;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    const Count ring = ring_of(lengths[d], all);
    reading.extents.push_back(ring > 0 ? ring : sides[d].length());
    if (reading.extents.back() > all / cells) return std::nullopt;
    cells *= reading.extents.back();
  }
  if (cells != all) return std::nullopt;
  reading.cells.assign(steps.vertices() * sides.size(), open_cell);
  for (std::uint32_t v = 0; v < steps.vertices(); ++v)
    for (std::size_t d = 0; front.is_placed(v) && d < sides.size(); ++d) {
      const Count x = front.cells().coordinate(front.cell_of(v), d) - sides[d].first;
      reading.cells[v * sides.size() + d] = static_cast<std::int32_t>(x % reading.extents[d]);
    }
  return owners_of(reading, steps.vertices()) ? std::optional(std::move(reading)) : std::nullopt;
}

void fill_up(const PairGraph& all, Reading& reading) {
  const auto owners = owners_of(reading, all.vertices());
  const Grid grid(reading.extents);
  std::vector<Cell> cells;
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t i = 0; i < owners->size(); ++i) {
    if ((*owners)[i] == nobody) cells.push_back(grid.cell(to_count(i)));
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
