#include "graph/graphs.hpp"

#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace halocline::bench {
namespace {

using place::Message;
using place::MessageGraph;

enum class Numbering { rows, columns, boxes, morton, random };

struct GridCase {
  const char *name, *grid, *stencil;
  Numbering numbering;
};

/// Bytes as halos of cubes have them: faces, edges, corners.
const char* const faces_3d = "1,0,0*64;-1,0,0*64;0,1,0*64;0,-1,0*64;0,0,1*64;0,0,-1*64";

std::string box_stencil(std::size_t dimensions, Count face, Count ratio) {
  std::string text;
  const Stencil moore = Stencil::moore(dimensions, 1);
  for (std::size_t i = 0; i < moore.size(); ++i) {
    const Offset& offset = moore.offsets()[i];
    Count weight = face;
    std::string steps;
    bool first = true;
    for (const Count step : offset) {
      if (step != 0 && !first) weight /= ratio;
      if (step != 0) first = false;
      steps += (steps.empty() ? "" : ",") + std::to_string(step);
    }
    text += (text.empty() ? "" : ";") + steps + "*" + std::to_string(weight);
  }
  return text;
}

/// What cells are sorted by to get their numbers.
std::uint64_t key_of(const Cell& cell, Numbering numbering, std::mt19937_64& random) {
  std::uint64_t key = 0;
  switch (numbering) {
    case Numbering::rows:
      for (const Count x : cell) key = key << 16U | static_cast<std::uint64_t>(x);
      break;
    case Numbering::columns:
      for (std::size_t d = cell.size(); d-- > 0;) key = key << 16U | static_cast<std::uint64_t>(cell[d]);
      break;
    case Numbering::boxes:
      for (const Count x : cell) key = key << 12U | static_cast<std::uint64_t>(x / 4);
      for (const Count x : cell) key = key << 4U | static_cast<std::uint64_t>(x % 4);
      break;
    case Numbering::morton:
      for (unsigned bit = 16; bit-- > 0;)
        for (const Count x : cell) key = key << 1U | (static_cast<std::uint64_t>(x) >> bit & 1U);
      break;
    case Numbering::random:
      key = random();
  }
  return key;
}

std::vector<Rank> numbers_of(const Grid& grid, Numbering numbering, std::mt19937_64& random) {
  std::vector<std::pair<std::uint64_t, Count>> keys;
  for (Count cell = 0; cell < grid.size(); ++cell)
    keys.emplace_back(key_of(grid.cell(cell), numbering, random), cell);
  std::sort(keys.begin(), keys.end());
  std::vector<Rank> numbers(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) numbers[to_index(keys[i].second)] = to_count(i);
  return numbers;
}

MessageGraph grid_graph(const Grid& grid, const Stencil& stencil, const std::vector<Rank>& numbers) {
  std::vector<Message> messages;
  for (Count number = 0; number < grid.size(); ++number) {
    const Cell cell = grid.cell(number);
    for (std::size_t i = 0; i < stencil.size(); ++i) {
      Cell other = cell;
      bool inside = true;
      for (std::size_t d = 0; d < cell.size(); ++d) {
        other[d] += stencil.offsets()[i][d];
        inside = inside && other[d] >= 0 && other[d] < grid.extents()[d];
      }
      if (inside)
        messages.push_back(
            {numbers[to_index(number)], numbers[to_index(grid.index(other))], stencil.weights()[i]});
    }
  }
  return {grid.size(), messages};
}

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

/// Points of a square talk if they are close, the more the closer.
MessageGraph geometric_graph(Count ranks, std::mt19937_64& random) {
  std::vector<std::pair<double, double>> points;
  for (Count i = 0; i < ranks; ++i) points.emplace_back(unit(random), unit(random));
  const double reach = std::sqrt(10 / (M_PI * to_double(ranks)));
  std::vector<Message> messages;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double away = std::hypot(points[a].first - points[b].first, points[a].second - points[b].second);
      if (away < reach)
        messages.push_back({to_count(a), to_count(b), 1 + static_cast<Count>(100 * (1 - away / reach))});
    }
  return {ranks, messages};
}

/// A grid with round holes, and borders of any length between its cells, as unstructured meshes have them.
MessageGraph irregular_grid(Count ranks, std::mt19937_64& random) {
  const Count extent = 64;
  std::vector<Rank> numbers(to_size(extent * extent), -1);
  Count next = 0;
  for (Count i = 0; i < extent * extent && next < ranks; ++i) {
    const Count x = i % extent, y = i / extent;
    const Count dx = x % 21 - 10, dy = y % 17 - 8;
    if (dx * dx + dy * dy > 36) numbers[to_index(i)] = next++;
  }
  std::vector<Message> messages;
  const auto connect = [&](Count a, Count b) {
    if (numbers[to_index(a)] >= 0 && numbers[to_index(b)] >= 0)
      messages.push_back({numbers[to_index(a)], numbers[to_index(b)], 1 + to_count(random() % 100)});
  };
  for (Count i = 0; i < extent * extent; ++i) {
    if (i % extent + 1 < extent) connect(i, i + 1);
    if (i + extent < extent * extent) connect(i, i + extent);
    if (i % extent + 1 < extent && i + extent < extent * extent) connect(i, i + extent + 1);
  }
  return {ranks, messages};
}

MessageGraph tree(Count ranks, std::mt19937_64& random) {
  std::vector<Message> messages;
  for (Rank rank = 1; rank < ranks; ++rank)
    messages.push_back({rank, (rank - 1) / 3, 1 + to_count(random() % 10)});
  return {ranks, messages};
}

/// Every rank talks with some at random: nothing to find for anybody.
MessageGraph random_graph(Count ranks, std::mt19937_64& random) {
  std::vector<Message> messages;
  for (Rank rank = 0; rank < ranks; ++rank)
    for (int i = 0; i < 4; ++i)
      messages.push_back({rank, to_count(random() % static_cast<std::uint64_t>(ranks)), 1});
  return {ranks, messages};
}

/// Even, of two sizes, an odd number with one that is larger, many small ones and few large ones.
const std::vector<std::string> node_shapes{"50x48", "40x48,20x24", "30x77,90", "300x8", "4x600"};

}  // namespace

std::vector<GraphInstance> graph_instances(std::uint64_t seed) {
  const std::string box_2d = box_stencil(2, 8, 8), box_3d = box_stencil(3, 64, 8);
  const std::vector<GridCase> grids{
      {"2-D, 4, rows", "50x48", "nearest", Numbering::rows},
      {"2-D, 4, random", "60x40", "nearest", Numbering::random},
      {"2-D, 8, columns", "50x48", box_2d.c_str(), Numbering::columns},
      {"2-D, 8 alike, boxes", "50x48", "moore:1", Numbering::boxes},
      {"3-D, 6, rows", "20x12x10", faces_3d, Numbering::rows},
      {"3-D, 6, random", "15x16x10", faces_3d, Numbering::random},
      {"3-D, 26, Morton", "15x16x10", box_3d.c_str(), Numbering::morton},
      {"3-D, 26 alike, random", "15x16x10", "moore:1", Numbering::random},
  };
  std::mt19937_64 random(seed);
  std::vector<GraphInstance> instances;
  for (const std::string& nodes : node_shapes) {
    for (const GridCase& row : grids) {
      const Grid grid = Grid::parse(row.grid);
      const Stencil stencil = Stencil::parse(row.stencil, grid.dimensions());
      instances.push_back({row.name, nodes,
                           grid_graph(grid, stencil, numbers_of(grid, row.numbering, random)),
                           place::Problem(grid, stencil, Machine::of_nodes(Runs::parse(nodes)))});
    }
    instances.push_back({"points of a square", nodes, geometric_graph(2400, random)});
    instances.push_back({"irregular grid", nodes, irregular_grid(2400, random)});
    instances.push_back({"tree", nodes, tree(2400, random)});
    instances.push_back({"4 at random", nodes, random_graph(2400, random)});
  }
  return instances;
}

GraphInstance large_graph_instance(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Grid grid = Grid::parse("50x50x40");
  const Stencil stencil = Stencil::parse(box_stencil(3, 64, 8), 3);
  const std::string nodes = "2000x50";
  return {"3-D, 26, random", nodes, grid_graph(grid, stencil, numbers_of(grid, Numbering::random, random)),
          place::Problem(grid, stencil, Machine::of_nodes(Runs::parse(nodes)))};
}

}  // namespace halocline::bench
