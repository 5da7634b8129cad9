#include "schedule/direct.hpp"

#include "schedule/routes.hpp"
#include "schedule/tree.hpp"

#include <algorithm>

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
    routes.firsts.push_back(static_cast<std::int32_t>(routes.steps.size()));
    if (is_zero(offset)) continue;
    routes.steps.push_back(static_cast<std::int32_t>(routes.steps.size()));
    routes.peers.insert(routes.peers.end(), offset.begin(), offset.end());
  }
  routes.firsts.push_back(static_cast<std::int32_t>(routes.steps.size()));
  return along(stencil, routes);
}

Schedule direct_allgather(const Stencil& stencil) {
  Tree tree;
  tree.nodes.reserve(stencil.size() + 1);
  for (const Offset& offset : stencil.offsets()) {
    tree.node_of.push_back(0);
    if (is_zero(offset)) continue;
    tree.node_of.back() = static_cast<std::int32_t>(tree.nodes.size());
    tree.nodes.push_back({0, static_cast<std::int32_t>(tree.nodes.size()) - 1});
    tree.peers.insert(tree.peers.end(), offset.begin(), offset.end());
  }
  return along(stencil, tree);
}

}  // namespace

Schedule direct(const Stencil& stencil, Operation operation) {
  return operation == Operation::alltoall ? direct_alltoall(stencil) : direct_allgather(stencil);
}

}  // namespace halocline::schedule
