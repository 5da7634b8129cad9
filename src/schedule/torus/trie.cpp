// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/torus/trie.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/flat_offsets.hpp"
#include "schedule/parts/size_limit.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace halocline::schedule {
namespace {

class TrieBuilder {
 public:
  TrieBuilder(const Counts& offsets, std::span<const std::size_t> order, HopKind hop)
      : offsets_(offsets), order_(order), crossings_(offsets, order, hop), hop_(hop) {}

  Tree build() && {
    const std::size_t neighbours = offsets_.size() / order_.size();
    sorted_.resize(neighbours);
    std::iota(sorted_.begin(), sorted_.end(), 0);
    const auto before = [this](std::int32_t a, std::int32_t b) {
      for (const std::size_t d : order_)
        if (coordinate(a, d) != coordinate(b, d)) return coordinate(a, d) < coordinate(b, d);
      return a < b;
    };
    if (!std::is_sorted(sorted_.begin(), sorted_.end(), before))
      std::sort(sorted_.begin(), sorted_.end(), before);
    tree_.peers = crossings_.peers();
    tree_.nodes.reserve(neighbours + 1);
    tree_.node_of.resize(neighbours);
    grow(0, 0, neighbours, 0);
    return std::move(tree_);
  }

 private:
  [[nodiscard]] Count coordinate(std::int32_t neighbour, std::size_t dimension) const {
    return offsets_[to_index(neighbour) * order_.size() + dimension];
  }
  [[nodiscard]] Count sorted_coordinate(std::size_t place, std::size_t level) const {
    return coordinate(sorted_[place], order_[level]);
  }

  /// Lets everything grow from `node` that the neighbours first..end-1 of the sorted ones need; they share
  /// the coordinates of all levels before `level`.
  void grow(std::int32_t node, std::size_t first, std::size_t end, std::size_t level) {
    if (level == order_.size()) {
      for (std::size_t place = first; place < end; ++place) tree_.node_of[to_index(sorted_[place])] = node;
      return;
    }
    std::size_t zero = first;
    while (zero < end && sorted_coordinate(zero, level) < 0) ++zero;
    std::size_t positive = zero;
    while (positive < end && sorted_coordinate(positive, level) == 0) ++positive;
    if (positive > zero) grow(node, zero, positive, level + 1);

    // Away from zero, so that hop by hop each coordinate goes on where the one before has come to.
    Branch branch{node, 0};
    for (std::size_t from = positive, to; from < end; from = to) {
      for (to = from + 1; to < end && sorted_coordinate(to, level) == sorted_coordinate(from, level);) ++to;
      grow(reach(node, branch, sorted_coordinate(from, level), level), from, to, level + 1);
    }
    branch = {node, 0};
    for (std::size_t to = zero, from; to > first; to = from) {
      for (from = to - 1;
           from > first && sorted_coordinate(from - 1, level) == sorted_coordinate(to - 1, level);)
        --from;
      grow(reach(node, branch, sorted_coordinate(from, level), level), from, to, level + 1);
    }
  }

  /// How far a branch along one dimension has come.
  struct Branch {
    std::int32_t tip;
    Count hops;
  };

  std::int32_t reach(std::int32_t root, Branch& branch, Count target, std::size_t level) {
    const Crossings::RoundRange rounds = crossings_.across(order_[level], target);
    if (hop_ == HopKind::whole) branch = {root, 0};
    require_size(hop_ == HopKind::unit ? "torus" : "torus-direct", "moves",
                 count_of(tree_.nodes) + rounds.count - branch.hops);
    for (; branch.hops < rounds.count; ++branch.hops) {
      tree_.nodes.push_back({branch.tip, rounds.first + to_int(branch.hops)});
      branch.tip = to_int(tree_.nodes.size()) - 1;
    }
    return branch.tip;
  }

  const Counts& offsets_;
  std::span<const std::size_t> order_;
  Crossings crossings_;
  HopKind hop_;
  std::vector<std::int32_t> sorted_;
  Tree tree_;
};

/// Is every process that the block reaches a target? Then no trie is smaller.
bool only_targets(const Tree& tree) {
  std::vector<bool> target(tree.nodes.size(), false);
  target[0] = true;
  for (const std::int32_t node : tree.node_of) target[to_index(node)] = true;
  return std::find(target.begin(), target.end(), false) == target.end();
}

constexpr std::size_t most_trials = std::size_t{1} << 16;

bool few_orders(std::size_t neighbours, std::size_t dimensions) {
  std::size_t trials = neighbours;
  for (std::size_t d = 2; d <= dimensions && trials <= most_trials; ++d) trials *= d;
  return trials <= most_trials;
}

void sort_by_variety(const Counts& offsets, std::vector<std::size_t>& order) {
  const std::size_t dimensions = order.size();
  std::vector<std::size_t> variety(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::set<Count> coordinates;
    for (std::size_t at = d; at < offsets.size(); at += dimensions) coordinates.insert(offsets[at]);
    variety[d] = coordinates.size();
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return variety[a] < variety[b]; });
}

}  // namespace

Tree trie(const Stencil& stencil, std::span<const std::size_t> order, HopKind hop) {
  const Counts offsets = flat_offsets(stencil);
  return TrieBuilder(offsets, order, hop).build();
}

Tree smallest_trie(const Stencil& stencil, HopKind hop) {
  const Counts offsets = flat_offsets(stencil);
  std::vector<std::size_t> order(stencil.dimensions());
  std::iota(order.begin(), order.end(), 0);
  Tree best = TrieBuilder(offsets, order, hop).build();
  const auto try_order = [&] {
    Tree tree = TrieBuilder(offsets, order, hop).build();
    if (tree.nodes.size() < best.nodes.size()) best = std::move(tree);
  };
  if (few_orders(stencil.size(), stencil.dimensions())) {
    while (!only_targets(best) && std::next_permutation(order.begin(), order.end())) try_order();
  } else if (!only_targets(best)) {
    sort_by_variety(offsets, order);
    try_order();
  }
  return best;
}

}  // namespace halocline::schedule
