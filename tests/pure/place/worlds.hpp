// Problems for the tests of place/: every small one, and seeded random larger ones.
#pragma once

#include "place/problem/problem.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace halocline::place {

inline std::string text(const Problem& problem) {
  return problem.grid().to_text() + " on " + problem.machine().to_text() + " along " +
         problem.stencil().to_text();
}

inline Problem make_problem(const std::string& grid, const std::string& nodes, const std::string& stencil) {
  const Grid parsed = Grid::parse(grid);
  return {parsed, Stencil::parse(stencil, parsed.dimensions()), Machine::of_nodes(Runs::parse(nodes))};
}

/// Sizes that sum to `cells`, each from 1 to `largest`.
inline Runs random_sizes(Count cells, Count largest, std::mt19937_64& random) {
  Counts sizes;
  while (cells > 0) {
    sizes.push_back(std::min(cells, std::uniform_int_distribution<Count>(1, largest)(random)));
    cells -= sizes.back();
  }
  return Runs(sizes);
}

/// A stencil of up to 6 offsets of reach up to 2, with weights.
inline Stencil random_stencil(std::size_t dimensions, std::mt19937_64& random) {
  std::uniform_int_distribution<Count> step(-2, 2), weight(1, 9);
  std::vector<Offset> offsets(1 + random() % 6, Offset(dimensions));
  Counts weights;
  for (Offset& offset : offsets) {
    for (Count& component : offset) component = step(random);
    weights.push_back(weight(random));
  }
  return Stencil(offsets, weights);
}

inline Stencil family(std::size_t which, std::size_t dimensions, std::mt19937_64& random) {
  switch (which % 7) {
    case 0:
      return Stencil::nearest(dimensions);
    case 1:
      return Stencil::hops(dimensions);
    case 2:
      return dimensions > 1 ? Stencil::component(dimensions) : Stencil::nearest(dimensions);
    case 3:
      return Stencil::moore(dimensions, 1);
    case 4:
      return Stencil::octant(dimensions, 1);
    case 5:
      return Stencil::octant(dimensions, 2);
    default:
      return random_stencil(dimensions, random);
  }
}

inline Periodicity random_periodicity(std::size_t dimensions, std::mt19937_64& random) {
  Periodicity periodicity(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) periodicity[d] = random() % 3 == 0;
  return periodicity;
}

/// Every box with extents up to `extent` in up to four dimensions, a few machines and stencils for each.
inline void for_each_small_problem(Count extent, const std::function<void(const Problem&)>& visit) {
  std::mt19937_64 random(2026);
  std::size_t which = 0;
  for (std::size_t dimensions = 1; dimensions <= 4; ++dimensions) {
    const Count limit = dimensions == 4 ? std::min(extent, Count{3}) : extent;
    Counts extents(dimensions, 1);
    for (;;) {
      const Grid grid(extents, random_periodicity(dimensions, random));
      Counts node_sizes{1, grid.size()};  // and every divisor
      for (Count n = 2; n < grid.size(); ++n)
        if (grid.size() % n == 0) node_sizes.push_back(n);
      const Count even = node_sizes[which % node_sizes.size()];
      visit({grid, family(which, dimensions, random), Machine::of_nodes(Runs::of(grid.size() / even, even))});
      visit({grid, family(which / 2, dimensions, random),
             Machine::of_nodes(random_sizes(grid.size(), 1 + static_cast<Count>(which) % 7, random))});
      ++which;
      std::size_t d = 0;
      while (d < dimensions && extents[d] == limit) extents[d++] = 1;
      if (d == dimensions) break;
      ++extents[d];
    }
  }
}

/// Larger problems of 1 to 4 dimensions, a few thousand cells at most.
inline void for_each_random_problem(int count, const std::function<void(const Problem&)>& visit) {
  std::mt19937_64 random(4711);
  for (int i = 0; i < count; ++i) {
    const std::size_t dimensions = 1 + random() % 4;
    const Count limit = dimensions == 1 ? 500 : dimensions == 2 ? 40 : dimensions == 3 ? 14 : 5;
    Counts extents(dimensions);
    for (Count& extent : extents) extent = std::uniform_int_distribution<Count>(1, limit)(random);
    const Grid grid(extents, random_periodicity(dimensions, random));
    Runs sizes = random_sizes(grid.size(), std::uniform_int_distribution<Count>(1, 60)(random), random);
    for (Count n = 8; n <= 64 && i % 2 == 0; ++n)
      if (grid.size() % n == 0) sizes = Runs::of(grid.size() / n, n);
    visit({grid, family(random(), dimensions, random), Machine::of_nodes(sizes), random()});
  }
}

}  // namespace halocline::place
