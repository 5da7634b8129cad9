// SPDX-License-Identifier: BSD-3-Clause
// Which process grid, where it is chosen by its borders alone: the one door to the shape stage. Where the
// placement counts as well, plan/placement/grid_choice.hpp chooses.
#pragma once

#include "halocline/describe/runs.hpp"
#include "shape/node_grid.hpp"
#include "shape/problem.hpp"
#include "shape/shape.hpp"

#include <vector>

namespace halocline::plan {

/// How a grid is chosen whose processes are in groups of several levels.
struct ShapeOptions {
  bool joint = false;               ///< All levels at once instead of one after the other ...
  std::vector<double> ratios = {};  ///< ... with these cost ratios, or all alike if empty.
};

struct ShapeChoice {
  Shape shape;
  bool proven = false;  ///< Of all levels at once: nothing can be better.
};

/// The best grid of groups that are of one size on each level: shape::by_levels, or shape::joint if that is
/// asked for. Deterministic, no communication. Throws as they do.
[[nodiscard]] ShapeChoice choose_shape(const shape::Problem& problem, const ShapeOptions& options = {});

/// The best grid of nodes of any sizes, the first of shape::for_nodes. Throws as that does.
[[nodiscard]] shape::NodeGrid choose_shape(const shape::Problem& problem, const Runs& node_sizes);

/// The best grid where nothing is known but how many processes there are: shape::weighted_dims. Throws as
/// that does.
[[nodiscard]] Counts choose_dims(Count processes, const Weights& weights, const Counts& fixed = {});

/// Is there a grid within the limits of the problem? Throws as shape::candidates does.
[[nodiscard]] bool has_shape(const shape::Problem& problem);

/// What each level of a shape costs, see shape::level_costs.
[[nodiscard]] std::vector<double> costs_of_shape(const shape::Problem& problem, const Shape& shape);

}  // namespace halocline::plan
