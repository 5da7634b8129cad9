// Grids for nodes of different sizes: the shape stage's choice beside plain MPI_Dims_create of the same MPI,
// both placed by the portfolio; bytes between nodes on a mesh, geometric means over seeded random jobs.
//   mpirun -n 1 halocline_bench uneven [seed]

#include "../number_argument.hpp"
#include "benchmarks.hpp"
#include "place/best.hpp"
#include "plan/placement/grid_choice.hpp"
#include "shape/choose.hpp"

#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace halocline {
namespace {

Count points_between_nodes(const Mesh& mesh, const Machine& machine, const Counts& dims) {
  const Grid grid(dims);
  const place::Problem problem(grid, plan::with_message_sizes(mesh, grid, Stencil::nearest(dims.size()), {}),
                               machine);
  return place::node_cost(problem, place::best(problem).placement).total.bytes;
}

Counts system_dims(Count processes, std::size_t dimensions) {
  std::vector<int> dims(dimensions, 0);
  MPI_Dims_create(static_cast<int>(processes), static_cast<int>(dimensions), dims.data());
  return {dims.begin(), dims.end()};
}

/// A job of a few dozen nodes: full ones and a partial last one, or two kinds, or any sizes at all.
Machine random_machine(std::mt19937_64& random) {
  const auto pick = [&](Count low, Count high) {
    return low + static_cast<Count>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  const Count nodes = pick(8, 60);
  const Count size = pick(8, 64);
  Runs sizes;
  switch (random() % 3) {
    case 0:
      sizes.append(size, nodes);
      sizes.append(pick(1, size));
      break;
    case 1:
      sizes.append(size, nodes);
      sizes.append(pick(4, 64), pick(1, 40));
      break;
    default:
      for (Count node = 0; node < nodes; ++node) sizes.append(pick(4, 64));
  }
  return Machine::of_nodes(sizes);
}

void run(std::uint64_t seed) {
  std::printf("seed %llu, 100 jobs each: points between nodes, ours / MPI_Dims_create\n",
              static_cast<unsigned long long>(seed));
  std::printf("%-24s %10s %10s %8s %8s\n", "mesh", "shape", "together", "worse", "equal");
  for (const std::size_t dimensions : {2, 3})
    for (const bool cubic : {true, false}) {
      std::mt19937_64 random(seed);
      double log_shape = 0;
      double log_together = 0;
      int worse = 0;
      int equal = 0;
      constexpr int jobs = 100;
      std::fprintf(stderr, "%zu-D, %s ...\n", dimensions, cubic ? "cubic" : "random meshes");
      for (int job = 0; job < jobs; ++job) {
        const Machine machine = random_machine(random);
        Counts extents(dimensions, 4800);
        if (!cubic)
          for (Count& extent : extents) extent = 1200 + static_cast<Count>(random() % 4800);
        const Mesh mesh(extents);
        shape::Problem problem = shape::Problem::for_mesh({machine.ranks()}, mesh);
        const Counts chosen = shape::for_nodes(problem, machine.node_sizes()).front().dims;
        const auto plain = static_cast<double>(
            points_between_nodes(mesh, machine, system_dims(machine.ranks(), dimensions)));
        const auto ours = static_cast<double>(points_between_nodes(mesh, machine, chosen));
        const auto together = static_cast<double>(
            plan::choose_grid({mesh, Stencil::nearest(dimensions), machine}).cost.j_sum());
        log_shape += std::log(ours / plain);
        log_together += std::log(together / plain);
        worse += together > plain;
        equal += together == plain;
      }
      std::printf("%zu-D %-20s %10.3f %10.3f %8d %8d\n", dimensions, cubic ? "cubic" : "random",
                  std::exp(log_shape / jobs), std::exp(log_together / jobs), worse, equal);
    }
}

}  // namespace
}  // namespace halocline

int halocline::bench::uneven(int argc, char** argv) {
  const auto seed = number_argument<std::uint64_t>(argc, argv, 1, 1, 0);
  MPI_Init(&argc, &argv);
  halocline::run(seed);
  MPI_Finalize();
  return 0;
}
