// Random grids of processes, neighbours and nodes.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace halocline {

/// What the cases of a test draw from: `common` is the same on all ranks, `own` is not.
struct RandomGrids {
  using Random = std::mt19937_64;

  static Count between(Random& random, Count low, Count high) {
    return std::uniform_int_distribution<Count>(low, high)(random);
  }

  /// A grid of exactly `processes` cells, by cutting off random factors.
  static Grid grid(Count processes, Random& random) {
    const auto dimensions = static_cast<std::size_t>(between(random, 1, 4));
    Counts extents(dimensions, 1);
    for (Count p = 2; processes > 1;) {
      if (processes % p != 0) {
        ++p;
        continue;
      }
      extents[static_cast<std::size_t>(between(random, 0, static_cast<Count>(dimensions) - 1))] *= p;
      processes /= p;
    }
    Periodicity periodic;
    for (std::size_t d = 0; d < dimensions; ++d) periodic.push_back(between(random, 0, 2) > 0);
    return Grid(extents, periodic);
  }

  /// As grid(), of all of the processes or of some.
  static Grid grid_within(Count processes, Random& random) {
    const bool some = between(random, 0, 3) == 0;
    return grid(some ? between(random, 1, processes) : processes, random);
  }

  /// Up to a dozen, which may be equal, and lead to the process itself or around the grid.
  static Stencil offsets(std::size_t dimensions, Random& random) {
    std::vector<Offset> offsets(static_cast<std::size_t>(between(random, 1, 12)));
    const Count reach = between(random, 1, 3);
    for (Offset& offset : offsets)
      for (std::size_t d = 0; d < dimensions; ++d) offset.push_back(between(random, -reach, reach));
    return Stencil(offsets);
  }

  /// For HALOCLINE_MACHINE: node sizes that are anything from one node to single processes.
  static std::string machine(Count processes, Random& random) {
    Counts nodes;
    const Count largest = between(random, 1, processes);
    for (Count left = processes; left > 0; left -= nodes.back())
      nodes.push_back(std::min(left, between(random, 1, largest)));
    std::string text = "node:" + std::to_string(nodes.size()) + " core:";
    for (std::size_t i = 0; i < nodes.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(nodes[i]);
    return text;
  }
};

}  // namespace halocline
