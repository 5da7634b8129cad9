// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/basis/basis.hpp"

#include "base/hash.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "schedule/basis/basis_problem.hpp"
#include "schedule/basis/decompose.hpp"
#include "schedule/parts/routes.hpp"
#include "schedule/parts/size_limit.hpp"
#include "schedule/parts/tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace halocline::schedule {
namespace {

constexpr std::int32_t none = -1;

/// For each neighbour of the stencil the target of the problem that it is; none for a zero offset.
std::vector<std::int32_t> target_of_neighbours(const Stencil& stencil, const BasisProblem& problem) {
  std::vector<std::int32_t> sorted(problem.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto before = [](std::span<const Count> a, std::span<const Count> b) {
    return std::ranges::lexicographical_compare(a, b);
  };
  std::sort(sorted.begin(), sorted.end(), [&](std::int32_t a, std::int32_t b) {
    return before(problem.target(to_index(a)), problem.target(to_index(b)));
  });
  std::vector<std::int32_t> targets;
  for (const Offset& offset : stencil.offsets()) {
    const auto found = std::lower_bound(
        sorted.begin(), sorted.end(), offset,
        [&](std::int32_t i, const Offset& wanted) { return before(problem.target(to_index(i)), wanted); });
    const bool zero = std::all_of(offset.begin(), offset.end(), [](Count c) { return c == 0; });
    targets.push_back(zero ? none : *found);
  }
  return targets;
}

/// The routes of all neighbours from those of the different offsets.
Routes repeated(const Routes& routes, const std::vector<std::int32_t>& targets) {
  Routes all;
  all.peers = routes.peers;
  for (const std::int32_t target : targets) {
    all.firsts.push_back(to_int(all.steps.size()));
    if (target == none) continue;
    all.steps.insert(all.steps.end(), routes.steps.begin() + routes.firsts[to_index(target)],
                     routes.steps.begin() + routes.firsts[to_index(target) + 1]);
    require_size("basis", "moves", count_of(all.steps));
  }
  all.firsts.push_back(to_int(all.steps.size()));
  return all;
}

struct OffsetHash {
  std::size_t operator()(const Offset& offset) const {
    std::uint64_t mixed = 0;
    for (const Count c : offset) mixed = (mixed ^ static_cast<std::uint64_t>(c)) * golden_ratio;
    return to_size(mixed ^ (mixed >> 32));
  }
};

/// A tree that follows the routes, but goes on from where the block already is whenever it is there in time.
class TreeAlong {
 public:
  TreeAlong(const BasisProblem& problem, const Routes& routes) : problem_(problem), routes_(routes) {
    tree_.peers = routes.peers;
    at_.emplace(Offset(problem.dimensions(), 0), 0);
    std::vector<std::int32_t> order(problem.size());
    std::iota(order.begin(), order.end(), 0);
    // The longest routes first: they pass the targets of others.
    std::stable_sort(order.begin(), order.end(),
                     [this](std::int32_t a, std::int32_t b) { return hops(a) > hops(b); });
    for (const std::int32_t target : order) reach(target);
  }

  Tree build(const std::vector<std::int32_t>& targets) && {
    for (const std::int32_t target : targets) {
      if (target == none) {
        tree_.node_of.push_back(0);
        continue;
      }
      const auto offset = problem_.target(to_index(target));
      tree_.node_of.push_back(at_.at(Offset(offset.begin(), offset.end())));
    }
    return std::move(tree_);
  }

 private:
  [[nodiscard]] std::int32_t hops(std::int32_t target) const {
    return routes_.firsts[to_index(target) + 1] - routes_.firsts[to_index(target)];
  }

  void reach(std::int32_t target) {
    const auto end = problem_.target(to_index(target));
    Offset position(end.begin(), end.end());
    std::int32_t step = routes_.firsts[to_index(target) + 1];
    std::int32_t latest = std::numeric_limits<std::int32_t>::max();
    std::int32_t node = none;
    for (;;) {  // back along the route to where the block is before it has to leave
      const auto found = at_.find(position);
      if (found != at_.end() && tree_.nodes[to_index(found->second)].round < latest) {
        node = found->second;
        break;
      }
      latest = routes_.steps[to_index(--step)];
      move(position, latest, -1);
    }
    for (; step < routes_.firsts[to_index(target) + 1]; ++step) {
      const std::int32_t round = routes_.steps[to_index(step)];
      move(position, round, 1);
      tree_.nodes.push_back({node, round});
      node = to_int(tree_.nodes.size()) - 1;
      // Where the block already was, it was too late: the new node is the earlier one.
      at_[position] = node;
    }
  }

  void move(Offset& position, std::int32_t round, Count sign) const {
    for (std::size_t d = 0; d < position.size(); ++d)
      position[d] += sign * routes_.peers[to_index(round) * position.size() + d];
  }

  const BasisProblem& problem_;
  const Routes& routes_;
  Tree tree_;
  std::unordered_map<Offset, std::int32_t, OffsetHash> at_;  ///< The earliest node at each place.
};

}  // namespace

Schedule basis(const Stencil& stencil, Operation operation, const BasisOptions& options) {
  const BasisProblem problem(stencil, options);
  const Basis found = additive_basis(problem);
  const std::vector<std::int32_t> targets = target_of_neighbours(stencil, problem);
  if (operation == Operation::alltoall)
    return along(stencil, repeated(decompose(problem, found.elements, Detour::free), targets));
  const Routes routes = decompose(problem, found.elements, Detour::priced);
  return along(stencil, TreeAlong(problem, routes).build(targets));
}

}  // namespace halocline::schedule
