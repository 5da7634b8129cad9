// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/grid_choice.hpp"

#include "base/integers.hpp"
#include "plan/placement/grid_contest.hpp"

#include <algorithm>

namespace halocline::plan {

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

GridChoice choose_uncosted_grid(const MeshProblem& problem, const GridOptions& options) {
  GridContest contest(problem, options);
  return contest.winner(contest.scores(0, 1));
}

GridChoice choose_grid(const MeshProblem& problem, const GridOptions& options) {
  GridChoice choice = choose_uncosted_grid(problem, options);
  choice.cost =
      place::cost(place::Problem(choice.grid, that_sends(choice.stencil, problem.halo), problem.machine),
                  choice.placement);
  return choice;
}

}  // namespace halocline::plan
