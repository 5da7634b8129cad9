#include "instances.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace halocline::bench {
namespace {

using Random = std::mt19937_64;

Count between(Count low, Count high, Random& random) {
  return std::uniform_int_distribution<Count>(low, high)(random);
}

/// Half the nodes have sizes of real machines, half have any.
Count node_size(Random& random) {
  static const Counts usual{8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 96, 128};
  return random() % 2 ? usual[random() % usual.size()] : between(10, 48, random);
}

Stencil along_axes(std::size_t dimensions, Random& random) {
  switch (random() % 4) {
    case 0:
      return Stencil::nearest(dimensions);
    case 1:
      return Stencil::hops(dimensions);
    case 2:
      return Stencil::component(dimensions);
    default:
      return Stencil::star(dimensions, 2);
  }
}

Stencil with_diagonals(std::size_t dimensions, Random& random) {
  const Count radius = dimensions == 2 && random() % 3 == 0 ? 2 : 1;
  return random() % 2 ? Stencil::moore(dimensions, radius) : Stencil::octant(dimensions, radius);
}

Stencil weighted(std::size_t dimensions, Random& random) {
  const Stencil nearest = Stencil::nearest(dimensions);
  Counts weights;
  while (weights.size() < nearest.size()) weights.insert(weights.end(), 2, between(1, 8, random));
  return Stencil(nearest.offsets(), weights);
}

Runs uneven(Count nodes, Count size, Random& random) {
  Counts sizes;
  const std::uint64_t kind = random() % 4;
  for (Count i = 0; i < nodes; ++i) {
    const bool small = kind == 0 ? i % 2 == 1 : kind == 1 ? 2 * i > nodes : kind == 2 && i + 1 == nodes;
    sizes.push_back(kind == 3 ? between((3 * size + 3) / 4, size, random) : small ? (size + 1) / 2 : size);
  }
  return Runs(sizes);
}

using MakeStencil = std::function<Stencil(std::size_t, Random&)>;

/// `count` problems of up to 4000 cells on grids that are not far from cubes.
std::vector<place::Problem> problems(int count, const Counts& dimensions, const MakeStencil& stencil,
                                     bool uneven_nodes, bool periodic, Random& random) {
  std::vector<place::Problem> result;
  while (result.size() < static_cast<std::size_t>(count)) {
    const auto d = static_cast<std::size_t>(dimensions[result.size() % dimensions.size()]);
    const Count size = node_size(random),
                nodes = std::min(between(10, 60, random), std::max(Count{4}, 4000 / size));
    const Runs sizes = uneven_nodes ? uneven(nodes, size, random) : Runs::of(nodes, size);
    const Counts extents = even_extents(sizes.total(), d);
    if (extents.front() > 16 * extents.back()) continue;
    Periodicity wraps(d, false);
    for (std::size_t i = 0; i < d && periodic; ++i) wraps[i] = i == 0 || random() % 3 > 0;
    result.emplace_back(Grid(extents, wraps), stencil(d, random), Machine::of_nodes(sizes));
  }
  return result;
}

}  // namespace

Counts even_extents(Count cells, std::size_t dimensions) {
  if (dimensions == 1) return {cells};
  // The largest extent is the smallest divisor at or above the root that leaves an even rest.
  Counts best;
  for (Count extent = 1; extent <= cells; ++extent) {
    if (cells % extent != 0) continue;
    if (std::pow(static_cast<double>(extent), static_cast<double>(dimensions)) <
        static_cast<double>(cells) * 0.999999)
      continue;
    Counts rest = even_extents(cells / extent, dimensions - 1);
    if (rest.front() > extent) continue;
    rest.insert(rest.begin(), extent);
    if (best.empty() || rest.front() - rest.back() < best.front() - best.back()) best = rest;
  }
  return best;
}

std::vector<InstanceSet> instance_sets(std::uint64_t seed) {
  Random random(seed);
  const MakeStencil nearest = [](std::size_t d, Random&) { return Stencil::nearest(d); };
  return {
      {"2-D along the axes", problems(80, {2}, along_axes, false, false, random)},
      {"3-D along the axes", problems(60, {3}, along_axes, false, false, random)},
      {"Moore and octant", problems(60, {2, 3}, with_diagonals, false, false, random)},
      {"periodic", problems(60, {2, 3}, nearest, false, true, random)},
      {"weighted", problems(60, {2, 3}, weighted, false, false, random)},
      {"4-D", problems(30, {4}, nearest, false, false, random)},
      {"uneven nodes", problems(60, {2, 3}, along_axes, true, false, random)},
  };
}

std::optional<double> lower_bound(const place::Problem& problem) {
  const Grid& grid = problem.grid();
  const Stencil& stencil = problem.stencil();
  std::vector<double> crossing(grid.dimensions(), 0);  // weight across a unit of surface, both ways
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    std::size_t moving = 0;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      if (stencil.offsets()[i][d] == 0) continue;
      ++moving;
      crossing[d] += static_cast<double>(std::abs(stencil.offsets()[i][d]) * stencil.weights()[i]);
    }
    if (moving != 1) return std::nullopt;
  }
  const auto d = static_cast<double>(grid.dimensions());
  double product = 1, outside = 0;
  for (std::size_t i = 0; i < crossing.size(); ++i) {
    if (crossing[i] == 0) return std::nullopt;
    product *= crossing[i];
    if (!grid.periodic(i))
      outside += crossing[i] * static_cast<double>(grid.size()) / static_cast<double>(grid.extents()[i]);
  }
  double inside = 0;
  for (const Run& run : problem.machine().node_sizes().runs()) {
    const double surface =
        d * std::pow(product, 1 / d) * std::pow(static_cast<double>(run.value), (d - 1) / d);
    inside += static_cast<double>(run.repeats) * std::ceil(surface - 1e-9);
  }
  return std::max(0.0, inside - outside);
}

}  // namespace halocline::bench
