// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/shape_choice.hpp"

#include "shape/choose.hpp"

namespace halocline::plan {

ShapeChoice choose_shape(const shape::Problem& problem, const ShapeOptions& options) {
  if (!options.joint) return {shape::by_levels(problem)};
  auto [shape, proven] = shape::joint(problem, options.ratios);
  return {std::move(shape), proven};
}

shape::NodeGrid choose_shape(const shape::Problem& problem, const Runs& node_sizes) {
  return shape::for_nodes(problem, node_sizes).front();
}

Counts choose_dims(Count processes, const Weights& weights, const Counts& fixed) {
  return shape::weighted_dims(processes, weights, fixed);
}

bool has_shape(const shape::Problem& problem) { return !shape::candidates(problem, 1).empty(); }

std::vector<double> costs_of_shape(const shape::Problem& problem, const Shape& shape) {
  return shape::level_costs(problem, shape);
}

}  // namespace halocline::plan
