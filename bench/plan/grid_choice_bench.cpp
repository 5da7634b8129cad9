// Where choosing shape and placement together beats choosing the shape first: bytes between nodes of both,
// and of the plain grid (as MPI_Dims_create should give it) left row by row.

#include "base/join.hpp"
#include "benchmarks.hpp"
#include "place/best.hpp"
#include "plan/placement/grid_choice.hpp"
#include "shape/choose.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace halocline::plan {
namespace {

struct Rated {
  Counts dims;
  Count points;
};

Rated rate(const MeshProblem& problem, const Counts& dims, bool in_place) {
  const Grid grid(dims, problem.mesh.periodicity());
  const place::Problem placing(grid, with_message_sizes(problem.mesh, grid, problem.stencil, problem.halo),
                               problem.machine);
  const Placement placement =
      in_place ? place::algorithm("blocked").place(placing) : place::best(placing).placement;
  return {dims, place::node_cost(placing, placement).total.bytes};
}

void run() {
  std::printf("%-14s %-18s %-9s %-10s %12s %-10s %12s %-10s %12s %8s\n", "mesh", "machine", "stencil",
              "plain", "points", "shape", "points", "together", "points", "gain");
  double log_gain = 0;
  int cases = 0;
  for (const char* mesh_text : {"3000x3000", "1800x580", "1000x1100x950", "512x512x512", "2400x600x300"})
    for (const char* machine_text :
         {"node:25 core:24", "node:31 core:48", "nodes:40x48,20x24", "node:16 package:2 core:20"})
      for (const char* stencil_text : {"nearest", "moore:1"}) {
        const Mesh mesh = Mesh::parse(mesh_text);
        const MeshProblem problem{mesh, Stencil::parse(stencil_text, mesh.dimensions()),
                                  Machine::parse(machine_text)};
        const shape::Problem shaping = shape::Problem::for_mesh({problem.machine.ranks()}, mesh);
        const Rated plain = rate(
            problem, shape::weighted_dims(problem.machine.ranks(), Weights::equal(mesh.dimensions())), true);
        const Rated shaped = rate(problem, shape::by_levels(shaping).dims(), false);
        const GridChoice together = choose_grid(problem);
        const double gain = static_cast<double>(shaped.points) / static_cast<double>(together.cost.j_sum());
        log_gain += std::log(gain);
        ++cases;
        std::printf("%-14s %-18s %-9s %-10s %12lld %-10s %12lld %-10s %12lld %7.3fx\n", mesh_text,
                    machine_text, stencil_text, join(plain.dims, "x").c_str(),
                    static_cast<long long>(plain.points), join(shaped.dims, "x").c_str(),
                    static_cast<long long>(shaped.points), join(together.grid.extents(), "x").c_str(),
                    static_cast<long long>(together.cost.j_sum()), gain);
      }
  std::printf("geometric mean of shape first / together: %.3f over %d cases\n", std::exp(log_gain / cases),
              cases);
}

}  // namespace
}  // namespace halocline::plan

int halocline::bench::grid_choice(int /*count*/, char** /*arguments*/) {
  plan::run();
  return 0;
}
