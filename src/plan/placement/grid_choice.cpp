// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/grid_choice.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "place/cost/internode_sum.hpp"
#include "place/cost/partial_cost.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/uncosted_grid.hpp"
#include "shape/choose.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace halocline::plan {
namespace {

/// Once planning took so many steps for the grids before, which is a second or two, only those grids are
/// placed that have to be.
constexpr double most_planning_steps = 3e8;

/// A grid worth placing.
struct CandidateGrid {
  Counts dims;
  bool has_to_be = false;  ///< The best by surface, and what the shape stage would choose by itself.
};

/// The best by surface first.
std::vector<CandidateGrid> candidate_grids(const MeshProblem& problem, const GridOptions& options) {
  shape::Problem shaping = shape::Problem::for_mesh({problem.machine.ranks()}, problem.mesh, problem.halo);
  shaping.fixed = problem.fixed;
  std::vector<CandidateGrid> grids;
  const auto volume = [&](const Counts& dims) { return shape::level_costs(shaping, Shape{{dims}}).back(); };
  for (Counts& dims : shape::candidates(shaping, options.most_candidates)) {
    if (!grids.empty() && volume(dims) > options.volume_slack * volume(grids.front().dims)) break;
    grids.push_back({std::move(dims), grids.empty()});
  }
  const auto add = [&](Counts dims) {
    const auto known = std::find_if(grids.begin(), grids.end(),
                                    [&](const CandidateGrid& grid) { return grid.dims == dims; });
    if (known != grids.end())
      known->has_to_be = true;
    else
      grids.push_back({std::move(dims), true});
  };
  add(shape::for_nodes(shaping, problem.machine.node_sizes()).front().dims);
  if (const auto levels = problem.machine.arities()) {
    shaping.levels = *levels;
    add(shape::by_levels(shaping).dims());
  }
  return grids;
}

/// A grid and what its processes send, wherever they are.
struct SizedGrid {
  Stencil stencil;  ///< Weighted by the size of each message.
  place::Problem placing;
  Count between_ranks;
};

SizedGrid sized(const MeshProblem& problem, const Counts& dims) {
  Grid grid(dims, problem.mesh.periodicity());
  Stencil stencil = with_message_sizes(problem.mesh, grid, problem.stencil, problem.halo);
  place::Problem placing(std::move(grid), that_sends(stencil, problem.halo), problem.machine);
  const Count between_ranks = place::sum_between_ranks(placing);
  return {std::move(stencil), std::move(placing), between_ranks};
}

/// A grid that was placed, and what it is judged by: bytes between nodes, then between processes.
struct Entry {
  GridChoice choice;
  Count between_nodes, between_ranks;

  [[nodiscard]] bool better_than(const Entry& other) const {
    return std::tie(between_nodes, between_ranks) < std::tie(other.between_nodes, other.between_ranks);
  }
};

/// Bytes between nodes; none if they are more than `limit`. No more is worked out than that takes.
std::optional<Count> sum_within(const place::Problem& problem, const PlacementChoice& choice, Count limit) {
  if (problem.machine().nodes() == 1) return 0;
  return choice.j_sum ? choice.j_sum : place::InternodeSum(problem).within(choice.placement, limit);
}

std::optional<Entry> placed(SizedGrid sized, const GridOptions& options, double seconds, Count limit,
                            double& planning_steps) {
  PlacementChoice choice =
      choose_placement(sized.placing, name_of(options.algorithm), {.seconds = seconds, .cost = false});
  planning_steps += choice.planning_steps;
  const std::optional<Count> between_nodes = sum_within(sized.placing, choice, limit);
  if (!between_nodes) return std::nullopt;
  return Entry{{sized.placing.grid(),
                std::move(sized.stencil),
                std::move(choice.placement),
                std::move(choice.algorithm),
                {},
                1},
               *between_nodes,
               sized.between_ranks};
}

/// The best of the grids, each of which may take that long.
GridChoice best_placed(const MeshProblem& problem, const std::vector<CandidateGrid>& grids,
                       const GridOptions& options, double seconds) {
  std::optional<Entry> best;
  double planning_steps = 0;
  std::size_t candidates = 0;
  for (const CandidateGrid& grid : grids) {
    if (planning_steps > most_planning_steps && !grid.has_to_be) continue;
    ++candidates;
    const Count limit = best ? best->between_nodes : std::numeric_limits<Count>::max();
    std::optional<Entry> entry = placed(sized(problem, grid.dims), options, seconds, limit, planning_steps);
    if (entry && (!best || entry->better_than(*best))) best = std::move(entry);
  }
  best->choice.candidates = candidates;
  return std::move(best->choice);
}

/// The same on one node, where no placement sends anything between nodes: only the best grid is placed.
GridChoice best_on_one_node(const MeshProblem& problem, const std::vector<CandidateGrid>& grids,
                            const GridOptions& options, double seconds) {
  std::optional<SizedGrid> best;
  for (const CandidateGrid& grid : grids) {
    SizedGrid next = sized(problem, grid.dims);
    if (!best || next.between_ranks < best->between_ranks) best.emplace(std::move(next));
  }
  double planning_steps = 0;
  GridChoice choice = placed(std::move(*best), options, seconds, 0, planning_steps)->choice;
  choice.candidates = grids.size();
  return choice;
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

GridChoice choose_uncosted_grid(const MeshProblem& problem, const GridOptions& options) {
  if (problem.stencil.dimensions() != problem.mesh.dimensions())
    fail(Fault::invalid_dimensions, "the stencil has ", problem.stencil.dimensions(),
         " dimensions, the mesh ", problem.mesh.dimensions());
  const std::vector<CandidateGrid> grids = candidate_grids(problem, options);
  const double seconds = options.seconds / to_double(grids.size());
  return problem.machine.nodes() == 1 ? best_on_one_node(problem, grids, options, seconds)
                                      : best_placed(problem, grids, options, seconds);
}

GridChoice choose_grid(const MeshProblem& problem, const GridOptions& options) {
  GridChoice choice = choose_uncosted_grid(problem, options);
  choice.cost =
      place::cost(place::Problem(choice.grid, that_sends(choice.stencil, problem.halo), problem.machine),
                  choice.placement);
  return choice;
}

}  // namespace halocline::plan
