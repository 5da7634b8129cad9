// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/direct.hpp"

#include "base/numbers.hpp"
#include "schedule/parts/routes.hpp"
#include "schedule/parts/tree.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::schedule {
namespace {

bool is_zero(const Offset& offset) {
  return std::all_of(offset.begin(), offset.end(), [](Count c) { return c == 0; });
}

Schedule direct_alltoall(const Stencil& stencil) {
  Routes routes;
  routes.peers.reserve(stencil.size() * stencil.dimensions());
  routes.firsts.reserve(stencil.size() + 1);
  routes.steps.reserve(stencil.size());
  for (const Offset& offset : stencil.offsets()) {
    routes.firsts.push_back(to_int(routes.steps.size()));
    if (is_zero(offset)) continue;
    routes.steps.push_back(to_int(routes.steps.size()));
    routes.peers.insert(routes.peers.end(), offset.begin(), offset.end());
  }
  routes.firsts.push_back(to_int(routes.steps.size()));
  return along(stencil, routes);
}

/// For each neighbour the first one with the same offset.
std::vector<std::size_t> first_alike(const std::vector<Offset>& offsets) {
  std::vector<std::size_t> sorted(offsets.size()), first(offsets.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto before = [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; };
  if (!std::is_sorted(sorted.begin(), sorted.end(), before))
    std::stable_sort(sorted.begin(), sorted.end(), before);
  for (std::size_t k = 0; k < sorted.size(); ++k)
    first[sorted[k]] =
        k > 0 && offsets[sorted[k]] == offsets[sorted[k - 1]] ? first[sorted[k - 1]] : sorted[k];
  return first;
}

Schedule direct_allgather(const Stencil& stencil) {
  const std::vector<std::size_t> first = first_alike(stencil.offsets());
  Tree tree;
  tree.nodes.reserve(stencil.size() + 1);
  tree.node_of.reserve(stencil.size());
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    const Offset& offset = stencil.offsets()[i];
    if (first[i] != i || is_zero(offset)) {
      tree.node_of.push_back(first[i] != i ? tree.node_of[first[i]] : 0);
      continue;
    }
    tree.node_of.push_back(to_int(tree.nodes.size()));
    tree.nodes.push_back({0, to_int(tree.nodes.size()) - 1});
    tree.peers.insert(tree.peers.end(), offset.begin(), offset.end());
  }
  return along(stencil, tree);
}

}  // namespace

Schedule direct(const Stencil& stencil, Operation operation) {
  return operation == Operation::alltoall ? direct_alltoall(stencil) : direct_allgather(stencil);
}

}  // namespace halocline::schedule
