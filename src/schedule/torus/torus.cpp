// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/torus/torus.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/crossings.hpp"
#include "schedule/parts/flat_offsets.hpp"
#include "schedule/parts/routes.hpp"
#include "schedule/parts/size_limit.hpp"
#include "schedule/torus/trie.hpp"

#include <numeric>

namespace halocline::schedule {
namespace {

Schedule alltoall(const Stencil& stencil, HopKind hop) {
  const std::size_t dimensions = stencil.dimensions();
  std::vector<std::size_t> order(dimensions);
  std::iota(order.begin(), order.end(), 0);
  const Counts offsets = flat_offsets(stencil);
  const Crossings crossings(offsets, order, hop);

  Count moves = 0;
  for (std::size_t at = 0; at < offsets.size(); ++at)
    moves = checked_add(moves, crossings.across(at % dimensions, offsets[at]).count);
  require_size(hop == HopKind::unit ? "torus" : "torus-direct", "moves", moves);

  Routes routes;
  routes.peers = crossings.peers();
  routes.steps.reserve(to_size(moves));
  routes.firsts.reserve(stencil.size() + 1);
  for (std::size_t at = 0; at < offsets.size(); at += dimensions) {
    routes.firsts.push_back(to_int(routes.steps.size()));
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Crossings::RoundRange rounds = crossings.across(d, offsets[at + d]);
      for (std::int32_t r = 0; r < rounds.count; ++r) routes.steps.push_back(rounds.first + r);
    }
  }
  routes.firsts.push_back(to_int(routes.steps.size()));
  return along(stencil, routes);
}

Schedule by_dimension(const Stencil& stencil, Operation operation, HopKind hop) {
  if (operation == Operation::alltoall) return alltoall(stencil, hop);
  return along(stencil, smallest_trie(stencil, hop));
}

}  // namespace

Schedule torus(const Stencil& stencil, Operation operation) {
  return by_dimension(stencil, operation, HopKind::unit);
}

Schedule torus_direct(const Stencil& stencil, Operation operation) {
  return by_dimension(stencil, operation, HopKind::whole);
}

}  // namespace halocline::schedule
