// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/bisection.hpp"

#include "place/graph/coarsening.hpp"

#include <algorithm>
#include <utility>

namespace halocline::place {
namespace {

constexpr std::size_t coarsest_vertices = 80;
/// No vertex may be a larger part of the whole.
constexpr Count coarsest_share = 30;

struct RefinedSides {
  std::pair<Count, Count> cost;  ///< What is too much on a side, then the cut.
  std::vector<Side> sides;
};

RefinedSides refined(const WorkGraph& graph, Count target, std::vector<Side> sides, int passes) {
  TwoSides state(graph, target, std::move(sides));
  state.refine(passes);
  const std::pair cost{state.too_much(), state.cut()};
  return {cost, std::move(state).take()};
}

/// Side 0 grows out of one vertex: the moves that make its size right take what has most to do with it.
RefinedSides grown(const WorkGraph& graph, Count target, const BisectionEffort& effort, Dice& dice) {
  RefinedSides best;
  for (int i = 0; i < effort.growings; ++i) {
    std::vector<Side> sides(graph.vertices(), 1);
    sides[dice.below(sides.size())] = 0;
    RefinedSides next = refined(graph, target, std::move(sides), effort.passes);
    if (i == 0 || next.cost < best.cost) best = std::move(next);
  }
  return best;
}

RefinedSides by_levels(const WorkGraph& graph, Count target, const BisectionEffort& effort, Dice& dice) {
  if (graph.vertices() > coarsest_vertices) {
    const Count largest = std::max(2 * graph.largest_size(), graph.total_size() / coarsest_share);
    const CoarserGraph coarse = coarser(graph, largest, dice);
    // Where hardly anything can be matched, more levels cost time alone.
    if (coarse.graph.vertices() < graph.vertices() - graph.vertices() / 20) {
      const RefinedSides above = by_levels(coarse.graph, target, effort, dice);
      std::vector<Side> sides(graph.vertices());
      for (std::size_t v = 0; v < sides.size(); ++v) sides[v] = above.sides[coarse.vertex_of[v]];
      return refined(graph, target, std::move(sides), effort.passes);
    }
  }
  return grown(graph, target, effort, dice);
}

}  // namespace

std::vector<Side> bisection(const WorkGraph& graph, Count target, const BisectionEffort& effort, Dice& dice) {
  if (target <= 0 || target >= graph.total_size())
    return std::vector<Side>(graph.vertices(), target <= 0 ? Side{1} : Side{0});
  RefinedSides best = by_levels(graph, target, effort, dice);
  for (int i = 1; i < effort.tries; ++i) {
    RefinedSides next = by_levels(graph, target, effort, dice);
    if (next.cost < best.cost) best = std::move(next);
  }
  return best.sides;
}

}  // namespace halocline::place
