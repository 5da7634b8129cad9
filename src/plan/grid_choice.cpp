#include "halocline/plan/grid_choice.hpp"

#include "base/integers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/shape/choose.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace halocline::plan {
namespace {

/// Grids worth placing, the best by surface first, and what the shape stage would choose by itself.
std::vector<Counts> candidate_grids(const MeshProblem& problem, const GridOptions& options) {
  shape::Problem shaping = shape::Problem::for_mesh({problem.machine.ranks()}, problem.mesh, problem.halo);
  shaping.fixed = problem.fixed;
  std::vector<Counts> grids;
  const auto volume = [&](const Counts& dims) { return shape::level_costs(shaping, Shape{{dims}}).back(); };
  for (Counts& dims : shape::candidates(shaping, options.most_candidates)) {
    if (!grids.empty() && volume(dims) > options.volume_slack * volume(grids.front())) break;
    grids.push_back(std::move(dims));
  }
  const auto add = [&](Counts dims) {
    if (std::find(grids.begin(), grids.end(), dims) == grids.end()) grids.push_back(std::move(dims));
  };
  add(shape::for_nodes(shaping, problem.machine.node_sizes()).front().dims);
  if (const auto levels = problem.machine.arities()) {
    shaping.levels = *levels;
    add(shape::by_levels(shaping).dims());
  }
  return grids;
}

GridChoice placed(const MeshProblem& problem, const Counts& dims, const GridOptions& options,
                  double seconds) {
  Grid grid(dims, problem.mesh.periodicity());
  Stencil stencil = with_message_sizes(problem.mesh, grid, problem.stencil, problem.halo);
  const place::Problem placing(grid, that_sends(stencil, problem.halo), problem.machine);
  PlacementChoice choice = choose_rated_placement(placing, options.algorithm, {.seconds = seconds});
  return {std::move(grid),
          std::move(stencil),
          std::move(choice.placement),
          std::move(choice.algorithm),
          std::move(choice.cost),
          1};
}

/// Bytes between nodes, then between processes.
std::tuple<Count, Count> merit(const GridChoice& choice) {
  return {choice.cost.j_sum(), choice.cost.levels.back().total.bytes};
}

}  // namespace

Stencil with_message_sizes(const Mesh& mesh, const Grid& grid, const Stencil& stencil, const Counts& halo) {
  Counts weights;
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    Count points = stencil.weights()[i];
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      const Count block = divide_up(mesh.extents()[d], grid.extents()[d]);
      const Count width = halo.empty() ? 1 : std::max<Count>(1, halo[d]);
      points = checked_multiply(points, stencil.offsets()[i][d] == 0 ? block : std::min(width, block));
    }
    weights.push_back(points);
  }
  return Stencil(stencil.offsets(), std::move(weights));
}

bool sends(const Offset& offset, const Counts& halo) {
  for (std::size_t d = 0; d < halo.size(); ++d)
    if (offset[d] != 0 && halo[d] == 0) return false;
  return true;
}

Stencil that_sends(const Stencil& stencil, const Counts& halo) {
  std::vector<Offset> offsets;
  Counts weights;
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    if (!sends(stencil.offsets()[i], halo)) continue;
    offsets.push_back(stencil.offsets()[i]);
    weights.push_back(stencil.weights()[i]);
  }
  return offsets.empty() ? stencil : Stencil(std::move(offsets), std::move(weights));
}

GridChoice choose_grid(const MeshProblem& problem, const GridOptions& options) {
  if (problem.stencil.dimensions() != problem.mesh.dimensions())
    fail(Fault::invalid_dimensions, "the stencil has ", problem.stencil.dimensions(),
         " dimensions, the mesh ", problem.mesh.dimensions());
  const std::vector<Counts> grids = candidate_grids(problem, options);
  const double seconds = options.seconds / static_cast<double>(grids.size());
  std::optional<GridChoice> best;
  for (const Counts& dims : grids) {
    GridChoice choice = placed(problem, dims, options, seconds);
    if (!best || merit(choice) < merit(*best)) best = std::move(choice);
  }
  best->candidates = grids.size();
  return std::move(*best);
}

}  // namespace halocline::plan
