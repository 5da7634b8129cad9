// What a placement costs on a network as the definitions have it: message by message, cell by cell.
#pragma once

#include "halocline/describe/allocation.hpp"
#include "halocline/place/placement.hpp"
#include "network/routing/metrics.hpp"
#include "place/problem/problem.hpp"

namespace halocline::plan {

inline Metrics metrics_of_cells(const place::Problem& problem, const Placement& placement,
                                const Allocation& allocation) {
  Counts nodes;
  for (Count cell = 0; cell < problem.grid().size(); ++cell)
    nodes.push_back(allocation.nodes()[static_cast<std::size_t>(
        problem.machine().node_of(placement.rank(problem.grid().cell(cell))))]);
  return network::measure(TaskMessages::of_stencil(problem.grid(), problem.stencil()), allocation.network(),
                          nodes);
}

}  // namespace halocline::plan
