// SPDX-License-Identifier: BSD-3-Clause
// Choosing the process grid that fits the mesh and the machine. Start with Problem::for_mesh and by_levels.
// After Niethammer and Rabenseifner, "Topology aware Cartesian grid mapping with MPI", EuroMPI 2018, which is
// by_levels with free dimensions; the rest goes past it.
#pragma once

#include "halocline/describe/runs.hpp"
#include "shape/node_grid.hpp"
#include "shape/problem.hpp"
#include "shape/shape.hpp"

#include <vector>

namespace halocline::shape {

/// The best shape level by level, outermost first: each level gets the factors with the least cost, given
/// those above. Exact: no rounding decides. Of equals the one with the smaller difference between its largest
/// and smallest factor of the level, then the smaller largest factor (both over the dimensions not fixed),
/// then the one with larger factors where cuts are cheaper, earlier dimensions first.
///
/// Costs a few microseconds a level. If the best factors of a level leave no room for those below, the next
/// best are taken. Throws as validate(), and Error{invalid_dimensions} if no grid is within the limits.
[[nodiscard]] Shape by_levels(const Problem& problem);

/// The best grid of one level for the weights: what MPI_Dims_create should give. Positive entries of `fixed`
/// stay. Throws as by_levels.
[[nodiscard]] Counts weighted_dims(Count processes, const Weights& weights, const Counts& fixed = {});

/// What each level of a shape costs, as Problem defines it, rounded.
/// @pre the shape has the levels and dimensions of the problem
[[nodiscard]] std::vector<double> level_costs(const Problem& problem, const Shape& shape);

/// A shape and whether nothing can be better.
struct JointShape {
  Shape shape;
  bool proven;  ///< False if the search was cut short; the shape is then the best one met.
  bool operator==(const JointShape&) const = default;
};

/// How many partial shapes joint looks at before it gives up a proof: well below a second.
inline constexpr Count default_work = 2'000'000;

/// The shape with the least sum over the levels of ratio_l * cost_l. The best factors of an outer level can
/// spoil the levels below, which by_levels does not see. Of equals the one that by_levels would
/// prefer, so its result is returned unless another is truly better.
///
/// A byte that crosses a border of level l crosses one of every level below, too: if it is to cost k_l in
/// all, the ratios are k_l - k_(l+1), the last k itself. Without `ratios` all are 1: with two levels a byte
/// between nodes costs twice one inside. The paper measured eight times, the ratios {7, 1}.
///
/// Branch and bound from the result of by_levels; looks at `work` partial shapes at most, always the
/// same ones. Throws as by_levels, and Error{invalid_argument} unless there is one positive and finite
/// ratio a level, or none.
[[nodiscard]] JointShape joint(const Problem& problem, const std::vector<double>& ratios = {},
                               Count work = default_work);

/// The `most` cheapest grids of all processes, levels left aside, by increasing cost and by the order of
/// by_levels among equals: the first is the best grid of one level. Grids that differ in the order of
/// their extents are different. Empty if none is within the limits. Throws as validate().
[[nodiscard]] std::vector<Counts> candidates(const Problem& problem, std::size_t most);

/// Past the paper: grids for nodes of any sizes, where the nodes need not be boxes. Use it when node sizes
/// differ, or when the number of nodes or of processes on each has no useful factors (31 nodes; a partial
/// last node). problem.levels only says how many processes there are.
///
/// What is optimised is node_ratio * node_cost + process_cost. process_cost is the sum of weight_i * cuts
/// across dimension i, exactly. node_cost is an estimate of the same for the borders between nodes, if the
/// grid is cut into strips along one dimension and the nodes are laid along the strips one after the other:
/// the cuts between strips, one cross-section of a strip for each border between two nodes of a strip, and
/// the step in that border if the nodes do not fill whole layers; the best strips count. Weights are per cut
/// and so in bytes: the messages of a grid get smaller as it gets finer.
///
/// Rates the `most` cheapest grids by process_cost and returns them by increasing objective; those with
/// equal objective keep the order of candidates. A prime number of processes has only grids that are
/// lines: then it is the choice of the dimension. Throws as validate(), Error{invalid_argument} if the nodes
/// do not hold as many processes as the levels, and Error{invalid_dimensions} if no grid is within the
/// limits.
[[nodiscard]] std::vector<NodeGrid> for_nodes(const Problem& problem, const Runs& node_sizes,
                                              double node_ratio = 7, std::size_t most = 256);

}  // namespace halocline::shape
