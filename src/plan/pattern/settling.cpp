// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/settling.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

namespace halocline::plan {
namespace {

constexpr std::uint32_t nobody = ~std::uint32_t{0};

std::size_t cell_number(std::span<const std::int32_t> cell, const Counts& extents) {
  Count number = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) number = number * extents[d] + cell[d];
  return to_size(number);
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

/// Those of which most steps do not lead to a cell next to theirs, and those of which no step is known.
std::vector<std::uint32_t> misfits(const PairGraph& steps, const Reading& reading) {
  std::vector<std::uint32_t> found;
  Counts own(reading.dimensions());
  for (std::uint32_t v = 0; v < steps.vertices(); ++v) {
    std::copy_n(reading.cell(v), own.size(), own.begin());
    std::size_t right = 0;
    for (const std::uint32_t neighbour : steps.of(v))
      right += distance(reading, reading.cell(neighbour), own.data()) == 1 ? 1U : 0U;
    if (steps.degree(v) == 0 || 2 * right < steps.degree(v)) found.push_back(v);
  }
  return found;
}

/// All cells up to two steps away, some of them twice.
std::vector<Cell> cells_around(const Cell& cell, const Counts& extents) {
  std::vector<Cell> cells{cell};
  for (std::size_t first = 0, round = 0; round < 2; ++round) {
    const std::size_t last = cells.size();
    for (; first < last; ++first)
      for (std::size_t d = 0; d < extents.size(); ++d)
        for (const Count step : {-1, 1}) {
          Cell next = cells[first];
          next[d] = floor_modulo(next[d] + step, extents[d]);
          cells.push_back(std::move(next));
        }
  }
  return cells;
}

/// The vertices in their cells, and how many bytes they have near.
class Seating {
 public:
  Seating(const PairGraph& all, Reading& reading)
      : all_(all), reading_(reading), owners_(owners_of(reading, all.vertices())) {}

  [[nodiscard]] Cell cell(std::uint32_t v) const {
    return {reading_.cell(v), reading_.cell(v) + reading_.dimensions()};
  }

  /// Does the vertex change places with the one in a cell? Only if more bytes are near then.
  bool moves(std::uint32_t v, const Cell& there) {
    const Cell here = cell(v);
    const std::uint32_t other = owner(there);
    if (other == v || other == nobody) return false;
    const Count now = bytes_near(all_, reading_, v, here) + bytes_near(all_, reading_, other, there);
    if (bytes_near(all_, reading_, v, there) + bytes_near(all_, reading_, other, here) <= now) return false;
    seat(v, there);
    seat(other, here);
    return true;
  }

 private:
  [[nodiscard]] std::uint32_t& owner(const Cell& cell) {
    const std::vector<std::int32_t> narrow(cell.begin(), cell.end());
    return owners_[cell_number(narrow, reading_.extents)];
  }

  void seat(std::uint32_t v, const Cell& cell) {
    std::copy(cell.begin(), cell.end(),
              reading_.cells.begin() + static_cast<std::ptrdiff_t>(v * cell.size()));
    owner(cell) = v;
  }

  const PairGraph& all_;
  Reading& reading_;
  std::vector<std::uint32_t> owners_;
};

}  // namespace

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

bool are_few(std::size_t open, std::size_t vertices) {
  constexpr std::size_t most_open_cells = 32;
  return open <= most_open_cells && 4 * open <= vertices;
}

void take_out_misfits(const PairGraph& steps, Reading& reading) {
  const std::vector<std::uint32_t> lost = misfits(steps, reading);
  if (!are_few(lost.size(), steps.vertices())) return;
  for (const std::uint32_t v : lost) reading.cells[v * reading.dimensions()] = open_cell;
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

void change_places(const PairGraph& steps, const PairGraph& all, Reading& reading) {
  const std::vector<std::uint32_t> lost = misfits(steps, reading);
  if (!are_few(lost.size(), steps.vertices())) return;
  Seating seating(all, reading);
  constexpr int most_rounds = 4;
  bool moved = true;
  for (int round = 0; moved && round < most_rounds; ++round) {
    moved = false;
    for (const std::uint32_t v : lost)
      for (const Cell& cell : cells_around(seating.cell(v), reading.extents))
        moved = seating.moves(v, cell) || moved;
  }
}

}  // namespace halocline::plan
