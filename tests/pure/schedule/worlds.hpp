// Neighbourhoods and grids for the tests of schedule/, and what every schedule must do on them.
#pragma once

#include "halocline/base/error.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/simulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace halocline::schedule {

constexpr Operation operations[] = {Operation::alltoall, Operation::allgather};
constexpr SimulatedWire wires[] = {SimulatedWire::packed, SimulatedWire::zero_copy};

inline std::string text(Operation operation) {
  return operation == Operation::alltoall ? "alltoall" : "allgather";
}

/// All offsets of the box {low..high}^dimensions, last dimension fastest.
inline std::vector<Offset> box(std::size_t dimensions, Count low, Count high) {
  std::vector<Offset> offsets;
  Offset offset(dimensions, low);
  for (;;) {
    offsets.push_back(offset);
    std::size_t d = dimensions;
    while (d-- > 0 && ++offset[d] > high) offset[d] = low;
    if (d > dimensions) return offsets;
  }
}

/// Offsets whose largest coordinate has one of the given sizes.
inline Stencil shales(std::size_t dimensions, const Counts& radii) {
  std::vector<Offset> offsets;
  for (const Offset& offset : box(dimensions, -radii.back(), radii.back())) {
    Count largest = 0;
    for (const Count c : offset) largest = std::max(largest, std::abs(c));
    if (std::find(radii.begin(), radii.end(), largest) != radii.end()) offsets.push_back(offset);
  }
  return Stencil(offsets);
}

/// Up to `most` offsets, some of them repeated, zero or far away.
inline Stencil random_neighbourhood(std::size_t dimensions, std::size_t most, std::mt19937_64& random) {
  const Count reach = 1 + static_cast<Count>(random() % 4);
  std::uniform_int_distribution<Count> step(random() % 4 == 0 ? 0 : -reach, reach);
  std::vector<Offset> offsets(1 + random() % most, Offset(dimensions));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    for (Count& component : offsets[i]) component = random() % 3 == 0 ? 0 : step(random);
    if (random() % 8 == 0) offsets[i] = offsets[random() % (i + 1)];
  }
  return Stencil(offsets);
}

inline Grid random_grid(std::size_t dimensions, std::mt19937_64& random) {
  static constexpr Count sizes[] = {1, 2, 3, 5};
  static constexpr Count most_cells = 60;
  for (;;) {
    Counts extents(dimensions);
    Periodicity periodicity(dimensions);
    Count cells = 1;
    for (std::size_t d = 0; d < dimensions; ++d) {
      extents[d] = dimensions == 1 && random() % 2 == 0 ? 7 : sizes[random() % 4];
      periodicity[d] = random() % 2 == 0;
      cells *= extents[d];
    }
    if (cells <= most_cells) return Grid(extents, periodicity);
  }
}

/// A predicate that looks random, the same wherever it is asked.
inline Travels random_travels(std::uint64_t seed) {
  return [seed](Count origin, Count target) {
    std::uint64_t mix = seed ^ (static_cast<std::uint64_t>(origin) * 0x9E3779B97F4A7C15u) ^
                        (static_cast<std::uint64_t>(target) * 0xC2B2AE3D27D4EB4Fu);
    mix ^= mix >> 29;
    mix *= 0xBF58476D1CE4E5B9u;
    return (mix >> 40) % 3 != 0;
  };
}

/// What a failing test says of its schedule.
struct Origin {
  const Algorithm& algorithm;
  Operation operation;
  const Stencil& stencil;
  const char* stage;
};

inline std::ostream& operator<<(std::ostream& out, const Origin& origin) {
  return out << origin.algorithm.name << " " << text(origin.operation) << " of " << origin.stencil.to_text()
             << ", " << origin.stage;
}

inline void expect_delivery(const Schedule& schedule, const Origin& origin, const Grid& grid,
                            std::uint64_t seed, const Travels& travels = {}) {
  for (const SimulatedWire wire : wires)
    EXPECT_EQ(simulate(schedule, grid, wire, seed, travels).fault, "")
        << origin << " on " << grid.to_text() << ", seed " << seed
        << (wire == SimulatedWire::packed ? ", packed" : ", zero-copy") << (travels ? ", some travel" : "");
}

}  // namespace halocline::schedule
