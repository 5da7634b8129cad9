// SPDX-License-Identifier: BSD-3-Clause
#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "shape/choose.hpp"
#include "shape/strip_model.hpp"

#include <algorithm>
#include <cmath>

namespace halocline::shape {
namespace {

NodeSummary summary(const Runs& node_sizes) {
  NodeSummary nodes{node_sizes.size(), {}, {}};
  for (const auto& [repeats, value] : node_sizes.runs()) {
    const auto found = std::find(nodes.sizes.begin(), nodes.sizes.end(), value);
    if (found != nodes.sizes.end()) {
      nodes.nodes_of_size[to_index(found - nodes.sizes.begin())] += repeats;
      continue;
    }
    nodes.sizes.push_back(value);
    nodes.nodes_of_size.push_back(repeats);
  }
  return nodes;
}

}  // namespace

std::vector<NodeGrid> for_nodes(const Problem& problem, const Runs& node_sizes, double node_ratio,
                                std::size_t most) {
  const std::vector<Counts> grids = candidates(problem, std::max<std::size_t>(most, 1));
  Count processes = 1;
  for (const Count size : problem.levels) processes *= size;
  require(node_sizes.total() == processes, "the nodes hold ", node_sizes.total(), " processes, not ",
          processes);
  require(std::isfinite(node_ratio) && node_ratio >= 0, "the cost ratio ", node_ratio,
          " is not finite and at least 0");
  if (grids.empty())
    fail(Fault::invalid_dimensions, "no grid of ", processes,
         " processes stays within the limits; use fewer processes or a larger mesh");

  const NodeSummary nodes = summary(node_sizes);
  const Periodicity periodic =
      problem.periodicity.empty() ? Periodicity(problem.weights.size(), false) : problem.periodicity;
  std::vector<double> weights;
  for (const Weight& weight : problem.weights.all()) weights.push_back(weight.value());

  std::vector<NodeGrid> rated;
  for (const Counts& dims : grids) {
    double process_cost = 0;
    for (std::size_t d = 0; d < dims.size(); ++d)
      process_cost += weights[d] * cuts(periodic[d], to_double(dims[d]));
    // Nodes never exchange more than processes do.
    const double node_cost = std::min(strip_cost(dims, weights, periodic, nodes), process_cost);
    rated.push_back({dims, node_cost, process_cost});
  }
  std::stable_sort(rated.begin(), rated.end(), [&](const NodeGrid& a, const NodeGrid& b) {
    return node_ratio * a.node_cost + a.process_cost < node_ratio * b.node_cost + b.process_cost;
  });
  return rated;
}

}  // namespace halocline::shape
